# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Waiting until a started cluster is usable, and saying why it is not.

# Returns when every node is idle; ends the command with the tail of the right log when a daemon ends or time is up.
wait_ready() {
    local tenths=$((300 + 10 * ${#spec_nodes[@]})) states
    while ((tenths-- > 0)); do
        ready_check_daemons
        if [[ -e $dir/run/started ]]; then
            states=$(SLURM_CONF=$dir/slurm.conf timeout 10 sinfo -h -N -o '%N %T' 2>/dev/null | sort -u) || states=
            [[ $(grep -c ' idle$' <<<"$states") != "${#spec_nodes[@]}" ]] || return 0
        fi
        pause 0.1
    done
    local node
    for node in "${spec_nodes[@]}"; do
        grep -qx "$node idle" <<<"$states" || ready_fail "node $node did not become idle: ${states//$'\n'/, }" \
            "slurmd.$node" "host.$node" slurmctld
    done
}

# A pid file without its process: that daemon has ended.
ready_check_daemons() {
    local file name process_pid
    for file in "$dir"/pids/*; do
        [[ -s $file ]] || continue
        pid_file_alive "$file" && continue
        name=${file##*/}
        [[ -d $dir/run ]] || fail "the cluster was stopped while it started"
        ready_fail "${name/./ of } ended while the cluster started" "$name" init
    done
}

# Ends the command with message $1 and the last lines of the logs of the daemons named, the first that have any.
ready_fail() {
    local message=$1 name file lines=()
    for name in "${@:2}"; do
        for file in "$dir/log/$name".{log,out}; do
            [[ -s $file ]] || continue
            lines+=("last lines of ${file##*/}:")
            mapfile -t -O "${#lines[@]}" lines < <(tail -n 8 "$file" | cut -c1-300)
        done
        ((${#lines[@]} == 0)) || break
    done
    fail "$message" "${lines[@]}"
}

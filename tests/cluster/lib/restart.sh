# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Starting slurmctld anew, for tests of what survives that. The nodes and their jobs go on.

# Ends the slurmctld of the cluster in directory $1, if it still runs, and starts one with the state that it left.
restart_controller() {
    local dir=$1 mode='' process_pid tenths=100 enter=()
    [[ -e $dir/run/ready ]] || fail "no cluster runs in $dir"
    # shellcheck source=/dev/null
    . "$dir/run/settings"
    pid_files_signal TERM "$dir/pids/slurmctld"
    pid_files_wait 50 "$dir/pids/slurmctld" || pid_files_signal KILL "$dir/pids/slurmctld"
    pid_files_wait 50 "$dir/pids/slurmctld" || fail "slurmctld does not end"
    rm -f "$dir/pids/slurmctld"
    if [[ $mode == namespaces ]]; then
        pid_file_alive "$dir/pids/init" || fail "the cluster in $dir is not running"
        enter=(nsenter --target "$process_pid" --net --uts --mount --pid --root --wd)
    fi
    launch restart "${enter[@]}" bash "$lib/controller" "$dir"
    until [[ -s $dir/pids/slurmctld ]] && SLURM_CONF=$dir/slurm.conf timeout 2 scontrol ping 2>/dev/null | grep -w UP >/dev/null; do
        ((tenths-- > 0)) || ready_fail "slurmctld does not answer" slurmctld
        [[ ! -s $dir/pids/slurmctld ]] || pid_file_alive "$dir/pids/slurmctld" ||
            ready_fail "slurmctld ended" slurmctld
        pause 0.1
    done
    restart_wait_nodes
}

# Waits, for ten seconds at most, until slurmctld has heard from every node whose slurmd runs.
restart_wait_nodes() {
    local node state process_pid silent tenths=100
    while ((tenths-- > 0)); do
        silent=0
        while read -r node state; do
            [[ $state != unk* && $state != *'*' ]] || ! pid_file_alive "$dir/pids/slurmd.$node" || silent=1
        done < <(SLURM_CONF=$dir/slurm.conf timeout 5 sinfo -h -N -o '%N %T' 2>/dev/null)
        ((silent)) || return 0
        pause 0.1
    done
}

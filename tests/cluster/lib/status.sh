# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Showing a cluster.

# Prints the state of the cluster in directory $1; succeeds if every daemon runs and every node is usable.
show_status() {
    local dir=$1 starter='' mode='' dir_made='' prefix='' interface='' quota_group='' ok=0
    if [[ ! -e $dir/run/ready ]]; then
        printf 'no cluster runs in %s\n' "$dir"
        return 1
    fi
    # shellcheck source=/dev/null
    . "$dir/run/settings"
    printf 'cluster in %s, nodes %s\n' "$dir" "$(status_mode)"
    status_daemon munged || ok=1
    status_daemon slurmctld || ok=1
    status_nodes || ok=1
    return "$ok"
}

status_mode() {
    if [[ $mode == namespaces ]]; then
        printf 'in namespaces (network %s.0/24%s)' "$prefix" "${quota_group:+, CPU quotas below $quota_group}"
    else
        printf 'on loopback (MPI jobs on one node only)'
    fi
}

status_daemon() {
    local process_pid
    if pid_file_alive "$dir/pids/$1"; then
        printf '  %-10s runs, process %s\n' "$1" "$process_pid"
    else
        printf '  %-10s is not running\n' "$1"
        return 1
    fi
}

status_nodes() {
    local node class cpus quota rest process_pid state daemon ok=0
    local -A states=()
    while read -r node state; do
        [[ -z $node ]] || states[$node]=$state
    done < <(SLURM_CONF=$dir/slurm.conf timeout 5 sinfo -h -N -o '%N %T' 2>/dev/null)
    printf '  %-12s %-8s %5s %8s  %-12s %s\n' node class cpus speed state slurmd
    while read -r node class cpus quota rest; do
        daemon='not running'
        pid_file_alive "$dir/pids/slurmd.$node" && daemon="process $process_pid"
        state=${states[$node]:-unknown}
        [[ $daemon != not* && $state =~ ^(idle|mixed|allocated|completing)$ ]] || ok=1
        printf '  %-12s %-8s %5s %8s  %-12s %s\n' "$node" "$class" "$cpus" "${quota/#0/full}" "$state" "$daemon"
    done < <(sed 's/\(^[^ ]* [^ ]* [^ ]* [1-9][0-9]*\)/\1%/' "$dir/nodes")
    return "$ok"
}

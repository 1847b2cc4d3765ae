# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Stopping a cluster: whatever is left of it, after a complete or a partial start. Safe to call twice and at once.

# Stops the cluster in directory $1 and removes all that belongs to it.
stop_cluster() {
    local dir=$1 stop_fd starter='' mode='' dir_made='' prefix='' interface='' quota_group=''
    [[ -e $dir/run ]] || return 0
    # A process that is gone already, or a file that another stop removed, is no reason to leave the rest.
    set +e
    exec {stop_fd}<"$dir" || return 0
    flock --wait 60 "$stop_fd" || fail "another command has been stopping this cluster for a minute: $dir"
    if [[ -e $dir/run/settings ]]; then
        # shellcheck source=/dev/null
        . "$dir/run/settings"
        stop_jobs
        stop_processes
        stop_command
        stop_traces
    fi
    [[ ! -e $dir/run ]] || remove_dir "$dir"
    exec {stop_fd}<&-
}

# Lets Slurm end the jobs and itself, for a few seconds at most.
stop_jobs() {
    local process_pid tenths=30 state SLURM_CONF=$dir/slurm.conf
    export SLURM_CONF
    pid_file_alive "$dir/pids/slurmctld" || return 0
    if [[ -n $(timeout 2 squeue -h -o %A 2>/dev/null) ]]; then
        for state in PENDING RUNNING SUSPENDED; do timeout 2 scancel --quiet --state=$state 2>/dev/null || :; done
        while [[ -n $(timeout 2 squeue -h -o %A 2>/dev/null) ]] && ((tenths-- > 0)); do pause 0.1; done
    fi
    timeout 2 scontrol shutdown 2>/dev/null || :
    pid_files_wait 10 "$dir/pids/slurmctld" "$dir"/pids/slurmd.* || :
}

# Ends every process of the cluster but the guard that may be running this. In namespace mode the death of the first
# process is the death of all; otherwise what a killed slurmd left behind is looked for by its environment.
stop_processes() {
    local file files=() pid tenths=200 left
    for file in "$dir"/pids/*; do
        case ${file##*/} in
        command) ;;
        guard) ! pid_file_alive "$file" || [[ $process_pid == "$$" ]] || files+=("$file") ;;
        *) files+=("$file") ;;
        esac
    done
    pid_files_signal KILL "${files[@]}"
    pid_files_wait 100 "${files[@]}" || say "warning: a process of $dir does not die"
    [[ $mode == loopback ]] || return 0
    while ((tenths-- > 0)); do
        mapfile -t left < <(cluster_processes "$dir/slurm.conf")
        ((${#left[@]})) || return 0
        kill -s KILL "${left[@]}" 2>/dev/null || :
        pause 0.1
    done
    say "warning: processes of $dir do not die: ${left[*]}"
}

# The command of "cluster run", left alone by a run that was killed.
stop_command() {
    local process_pid pids=()
    pid_file_alive "$dir/pids/command" || return 0
    mapfile -t pids < <(process_tree "$process_pid")
    kill -s TERM "${pids[@]}" 2>/dev/null || :
    pid_files_wait 20 "$dir/pids/command" || :
    kill -s KILL "${pids[@]}" 2>/dev/null || :
}

# What outlives processes: this machine's end of the link, and control groups.
stop_traces() {
    [[ -z $interface ]] || ip link delete "$interface" 2>/dev/null || :
    [[ -z $quota_group ]] || quota_remove "$quota_group" || say "warning: cannot remove the control group $quota_group"
}

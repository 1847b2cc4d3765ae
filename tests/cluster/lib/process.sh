# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Processes, told apart by pid AND start time (clock ticks since boot), so that a number that the kernel gave to
# somebody else is never taken for ours. A file of DIR/pids holds one line "PID START". Reads /proc only; a zombie
# counts as gone.

# Sets process_start to the start time of process $1; fails if it is gone.
process_read_start() {
    local stat fields
    { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    read -ra fields <<<"${stat##*) }"
    [[ ${fields[0]} != [ZX] ]] || return 1
    process_start=${fields[19]}
}

# Whether process $1 that started at $2 still runs.
process_alive() {
    local process_start
    process_read_start "$1" && [[ $process_start == "$2" ]]
}

# Whether the process that pid file $1 names still runs; sets process_pid.
pid_file_alive() {
    local start
    process_pid=
    { read -r process_pid start <"$1"; } 2>/dev/null || return 1
    process_alive "$process_pid" "$start"
}

# Sends signal $1 to the processes of the pid files that follow, those that still run.
pid_files_signal() {
    local signal=$1 file process_pid
    shift
    for file; do
        ! pid_file_alive "$file" || kill -s "$signal" "$process_pid" 2>/dev/null || :
    done
}

# Waits up to $1 tenths of a second until no process of the pid files that follow runs.
pid_files_wait() {
    local tenths=$1 file process_pid alive
    shift
    while :; do
        alive=0
        for file; do pid_file_alive "$file" && alive=1; done
        ((alive)) || return 0
        ((tenths-- > 0)) || return 1
        pause 0.1
    done
}

# Sleeps $1 seconds without starting a process.
pause() {
    [[ -n ${pause_fd:-} ]] || exec {pause_fd}<> <(:)
    read -rt "$1" -u "$pause_fd" || :
}

# Closes every inherited descriptor but 0-2, so that a process that stays does not keep a caller's pipe open.
close_descriptors() {
    local fd
    for fd in /proc/self/fd/*; do
        fd=${fd##*/}
        ((fd > 2 && fd != 255)) && eval "exec $fd>&-"
    done 2>/dev/null
    pause_fd=
}

# Prints the pids of the processes whose environment holds SLURM_CONF=$1 and every further argument as an entry
# "NAME=VALUE", and that belong to a job (SLURM_JOB_ID is set). Other users' processes are seen by root only.
job_processes() {
    local conf=$1 file entry
    shift
    while IFS= read -r file; do
        for entry; do
            grep -qzsxF -e "$entry" "$file" || continue 2
        done
        grep -qzs '^SLURM_JOB_ID=' "$file" || continue
        file=${file#/proc/}
        printf '%s\n' "${file%/environ}"
    done < <(grep -lzsxF -e "SLURM_CONF=$conf" /proc/[0-9]*/environ)
}

# Prints the pids of every process that a cluster on loopback may have left: those of its jobs, and Slurm's daemons
# and job managers that were started with SLURM_CONF=$1.
cluster_processes() {
    local file name
    job_processes "$1"
    while IFS= read -r file; do
        file=${file%/environ}
        { read -r name <"$file/comm"; } 2>/dev/null || continue
        case $name in slurmstepd | slurmd | slurmctld | munged) printf '%s\n' "${file#/proc/}" ;; esac
    done < <(grep -lzsxF -e "SLURM_CONF=$1" /proc/[0-9]*/environ)
}

# Prints process $1 and every descendant of it.
process_tree() {
    local file stat pid fields
    local -A children=()
    for file in /proc/[0-9]*/stat; do
        { IFS= read -r stat <"$file"; } 2>/dev/null || continue
        read -ra fields <<<"${stat##*) }"
        children[${fields[1]}]+=" ${stat%% *}"
    done
    local queue=("$1")
    while ((${#queue[@]})); do
        pid=${queue[0]}
        printf '%s\n' "$pid"
        read -ra fields <<<"${children[$pid]:-}"
        queue=("${queue[@]:1}" "${fields[@]}")
    done
}

# Forgets what an outer Slurm job or a user's settings would tell Slurm's programs.
clear_environment() {
    local name
    for name in $(compgen -e); do
        case $name in
        SLURM_* | SLURMD_* | SBATCH_* | SALLOC_* | SRUN_* | SINFO_* | SQUEUE_* | SCANCEL_* | SCONTROL_* | SPANK_* | PMI_* | PMIX_*)
            unset "$name"
            ;;
        esac
    done
}

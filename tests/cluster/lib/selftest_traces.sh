# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# What a cluster leaves on the machine, for the checks that it leaves nothing.

# Remembers what belongs to the cluster in $1, for no_traces.
traces_note() {
    traces_dir=$1
    # shellcheck source=/dev/null
    traces_interface=$(. "$1/run/settings" && echo "$interface")
    # shellcheck source=/dev/null
    traces_group=$(. "$1/run/settings" && echo "$quota_group")
    [[ $(traces) == *slurmctld* ]] || echo "traces_note: sees no slurmctld" >&2
}

# Prints every process, link, mount, control group and file of that cluster.
traces() {
    local file
    # shellcheck disable=SC2013 # no spaces in these names
    for file in $(grep -lsF "$traces_dir/" /proc/[0-9]*/environ /proc/[0-9]*/cmdline); do
        file=${file%/*}
        [[ ${file#/proc/} == "$$" || $(sed -n 's/^State:\t\(.\).*/\1/p' "$file/status" 2>/dev/null) =~ ^[ZX]?$ ]] ||
            echo "process ${file#/proc/}: $(tr '\0' ' ' <"$file/cmdline")"
    done 2>/dev/null
    [[ -z $traces_interface ]] || ip -o link show "$traces_interface" 2>/dev/null
    [[ -z $traces_group || ! -e $traces_group ]] || echo "group $traces_group"
    grep -hF "$traces_dir/" /proc/[0-9]*/mountinfo 2>/dev/null | sort -u
    [[ ! -e $traces_dir ]] || echo "directory $traces_dir"
}

no_traces() { wait_for traces_gone || { traces && return 1; }; }

traces_gone() { [[ -z $(traces) ]]; }

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Speed by CPU quota: a control group per node, cgroup v1 (cpu.cfs_quota_us) or v2 (cpu.max), below the group of the
# caller where that is possible. Where no group can be made, quota_choose or quota_create fails and the caller
# slows the nodes by stopping and continuing their jobs (throttle.sh).

# Short, so that also a computation of a few hundredths of a second feels the quota (the kernel's default is 100 ms).
quota_period_us=20000

# Prints "v1 DIR" or "v2 DIR": where groups with CPU quotas can be made.
quota_base() {
    local source mount type options rest own
    while read -r source mount type options rest; do
        [[ $type == cgroup && ,$options, == *,cpu,* ]] || continue
        own=$(sed -n 's/^[0-9]*:\(.*,\)\{0,1\}cpu\(,.*\)\{0,1\}://p' /proc/self/cgroup)
        [[ -d $mount$own ]] || own=
        printf 'v1 %s\n' "$mount${own%/}"
        return 0
    done </proc/self/mounts
    while read -r source mount type options rest; do
        [[ $type == cgroup2 ]] || continue
        own=$mount$(sed -n 's/^0:://p' /proc/self/cgroup)
        [[ -d $own ]] || own=$mount
        quota_base_v2 "$mount" "${own%/}" && return 0
    done </proc/self/mounts
    return 1
}

# Prints "v2 DIR": the group nearest above $2 (itself included, $1 the highest) that hands the cpu controller down.
# A group that holds processes cannot be told to, save the root.
quota_base_v2() {
    local mount=$1 group=$2
    while :; do
        if grep -qsw cpu "$group/cgroup.controllers"; then
            if grep -qsw cpu "$group/cgroup.subtree_control" ||
                { echo +cpu >"$group/cgroup.subtree_control"; } 2>/dev/null; then
                printf 'v2 %s\n' "$group"
                return 0
            fi
        fi
        [[ $group != "$mount" ]] || return 1
        group=${group%/*}
    done
}

# Sets quota_kind and quota_group to where the cluster's group, named $1, can be made.
quota_choose() {
    local base
    quota_group=
    read -r quota_kind base < <(quota_base) || return 1
    quota_group=$base/$1
}

# Makes the cluster's group, for nodes with $1 CPUs together. Its share, where more programs want to run than the
# machine has cores, is that of eight programs per CPU: other work on the machine disturbs the nodes' speeds little.
quota_create() {
    local share=$(($1 * 8))
    mkdir "$quota_group" 2>/dev/null || return 1
    {
        if [[ $quota_kind == v1 ]]; then
            echo $((share < 256 ? share * 1024 : 262144)) >"$quota_group/cpu.shares"
        else
            echo $((share < 100 ? share * 100 : 10000)) >"$quota_group/cpu.weight" &&
                echo +cpu >"$quota_group/cgroup.subtree_control"
        fi
    } 2>/dev/null || { quota_remove "$quota_group"; return 1; }
}

# Makes node $1's group with $2 percent of one core.
quota_add_node() {
    local group=$quota_group/$1 quota_us=$((quota_period_us * $2 / 100))
    # The kernel's shortest quota is 1 ms.
    local period_us=$quota_period_us
    ((quota_us >= 1000)) || { quota_us=1000 period_us=$((1000 * 100 / $2)); }
    mkdir "$group" || return 1
    {
        if [[ $quota_kind == v1 ]]; then
            echo "$period_us" >"$group/cpu.cfs_period_us" && echo "$quota_us" >"$group/cpu.cfs_quota_us"
        else
            echo "$quota_us $period_us" >"$group/cpu.max"
        fi
    } 2>/dev/null
}

# Removes the cluster's group $1 (a path) and the groups below it. Their processes must be dead; the kernel may need
# a moment to notice.
quota_remove() {
    local tries=50
    while [[ -d $1 ]]; do
        find "$1" -depth -type d -exec rmdir {} + 2>/dev/null
        [[ -d $1 ]] || return 0
        ((tries-- > 0)) || return 1
        pause 0.1
    done
}

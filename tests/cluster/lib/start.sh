# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Starting a cluster. Whatever goes wrong or interrupts, start_cluster ends the command with a reason and leaves
# nothing behind; on success DIR describes a cluster whose nodes are all idle.

# Starts a cluster from the options; sets dir.
start_cluster() {
    check_programs
    spec_read "${option_spec:-$here/five-nodes.spec}"
    check_owner
    choose_mode
    choose_dir
    dir_ours=no
    trap start_abort EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    launch_guard
    make_dir
    lock_addresses
    choose_addresses
    choose_slowness
    write_settings "$dir/run"
    conf_write
    if [[ $mode == namespaces ]]; then
        launch holder unshare --net --pid --mount --uts --fork --kill-child bash "$lib/init" "$dir"
        connect_uplink
        unlock_addresses
        wait_ready
    else
        launch init bash "$lib/init" "$dir"
        wait_ready
        unlock_addresses
    fi
    start_throttles
    : >"$dir/run/ready"
    trap - EXIT INT TERM HUP
}

start_abort() {
    local status=$?
    trap '' INT TERM HUP
    trap - EXIT
    [[ $dir_ours == no ]] || stop_cluster "$dir"
    exit "$((status ? status : 1))"
}

# Debian's package for every program that the cluster needs.
check_programs() {
    local pair missing=() packages=() needed=(
        slurmctld:slurmctld slurmd:slurmd sinfo:slurm-client munged:munge ip:iproute2 setsid:util-linux
        unshare:util-linux flock:util-linux hostname:hostname
    )
    for pair in "${needed[@]}"; do
        type -P "${pair%:*}" >/dev/null && continue
        missing+=("${pair%:*}")
        [[ " ${packages[*]-} " == *" ${pair#*:} "* ]] || packages+=("${pair#*:}")
    done
    [[ -r /proc/self/stat ]] || fail "/proc is not mounted"
    ((${#missing[@]} == 0)) ||
        fail "not installed: ${missing[*]}" "An administrator can run: apt-get install -y ${packages[*]}"
}

# Sets own_start and owner_start, the start times of this process and of the owner.
check_owner() {
    local process_start
    owner_start=
    process_read_start $$
    own_start=$process_start
    [[ -n $option_owner ]] || return 0
    process_read_start "$option_owner" || fail "--owner $option_owner: no such process"
    owner_start=$process_start
}

# Sets mode to namespaces or loopback.
choose_mode() {
    mode=loopback
    if [[ $option_namespaces == no ]]; then
        return 0
    elif ((EUID != 0)); then
        say "not root: all nodes share this machine's network (loopback mode, MPI jobs on one node only)"
    elif unshare --mount --uts --ipc --net --pid --fork --mount-proc sh -c \
        'ip link add name bridge0 type bridge && ip link add name port0 type veth peer name port1' 2>/dev/null; then
        mode=namespaces
    else
        say "this machine allows no namespaces or links: loopback mode, MPI jobs on one node only"
        say "(in a chroot, / must be a mount point: bind the directory onto itself)"
    fi
}

# Two clusters that start at once must not choose the same addresses.
lock_addresses() {
    local place=/sys/class/net
    [[ -d $place ]] || place=/
    exec {lock_fd}<"$place"
    flock --wait 120 "$lock_fd" || fail "another cluster has been starting for two minutes (lock on $place)"
}

unlock_addresses() { exec {lock_fd}<&-; }

choose_addresses() {
    if [[ $mode == namespaces ]]; then
        printf -v interface 'epoch-%08x' "$SRANDOM"
        network_choose
    else
        network_choose_ports $((${#spec_nodes[@]} + 1))
    fi
}

# Sets throttled to the nodes that cannot have a CPU quota group and must be slowed otherwise.
choose_slowness() {
    local node percent cpus=0
    throttled=()
    for node in "${spec_nodes[@]}"; do
        ((cpus += ${spec_cpus[${spec_class[$node]}]}))
        ((spec_quota[${spec_class[$node]}] == 0)) || throttled+=("$node")
    done
    ((${#throttled[@]})) || return 0
    [[ $mode == namespaces ]] || return 0
    # Written down before it is made, so that a stop finds it.
    if ! { quota_choose "$interface" && write_settings "$dir/run" && quota_create "$cpus"; }; then
        quota_group=
        say "no CPU quota groups here: slow nodes are slowed by stopping and continuing their jobs"
        return 0
    fi
    for node in "${throttled[@]}"; do
        percent=${spec_quota[${spec_class[$node]}]}
        quota_add_node "$node" "$percent" || fail "cannot set a CPU quota of $percent % in $quota_group/$node"
    done
    throttled=()
}

# The guard comes before the directory, so it has no pid file yet and writes that itself.
launch_guard() {
    (
        close_descriptors
        exec setsid bash "$lib/guard" "$dir" "$dir_made" $$ "$own_start" "$option_owner" "$owner_start" \
            </dev/null >/dev/null 2>&1
    ) &
    disown
}

# Starts a command in a session of its own with pid file NAME ($1) and output to DIR/log/NAME.out.
launch() {
    local name=$1 host_proc=/proc
    shift
    (
        close_descriptors
        spawn_record "$name"
        exec setsid "$@" </dev/null >>"$dir/log/$name.out" 2>&1
    ) &
    disown
}

# Links this machine to the cluster's bridge: init waits for it.
connect_uplink() {
    local process_pid tenths=100
    until pid_file_alive "$dir/pids/init"; do
        ((tenths-- > 0)) || ready_fail "the cluster's first process did not start" init holder
        pause 0.05
    done
    ip link add name "$interface" type veth peer name uplink netns "$process_pid" &&
        ip addr add "$network_prefix.1/24" dev "$interface" && ip link set "$interface" up ||
        fail "cannot link this machine to the cluster's network by $interface ($network_prefix.1/24)"
    : >"$dir/run/uplink"
}

# A node whose quota leaves nothing of its CPUs' time unused is not throttled.
start_throttles() {
    local node class percent
    for node in "${throttled[@]}"; do
        class=${spec_class[$node]}
        percent=$((${spec_quota[$class]} / ${spec_cpus[$class]}))
        ((percent < 100)) || continue
        launch "throttle.$node" bash "$lib/throttle" "$dir" "$node" "$((percent > 0 ? percent : 1))"
    done
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Starting daemons from init and node, and waiting for their ends as the first process of a pid namespace must.
# Uses DIR ($dir) and $host_proc, where the machine's own /proc is.

declare -A spawned=() # name -> pid in this namespace

# Starts a command in the background under a name: output to DIR/log/NAME.out, pid to DIR/pids/NAME.
spawn() {
    local name=$1
    shift
    (
        spawn_record "$name"
        exec "$@" </dev/null >>"$dir/log/$name.out" 2>&1
    ) &
    spawned[$name]=$!
}

# Writes the pid file of the calling process under name $1: "PID START" as the machine sees them.
spawn_record() {
    local stat fields
    IFS= read -r stat <"$host_proc/self/stat"
    read -ra fields <<<"${stat##*) }"
    printf '%s %s\n' "${stat%% *}" "${fields[19]}" >"$dir/pids/$1"
}

# Never returns. While bash waits it collects every child that ends, also those that it inherited.
reap() {
    while :; do
        wait -n || pause 1
    done
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Addresses. In namespace mode the caller's side is one end of a veth pair; the other end is a port of the bridge in
# the cluster's own network namespace, so the bridge, the nodes and their links vanish with the cluster's processes
# and no firewall rule of this machine lies between two nodes. In loopback mode it is a block of free ports.

# Sets network_prefix to the first three bytes of a /24 network that no address or route of this machine touches.
# 198.18.0.0/15 is set aside for tests (RFC 2544); private ranges follow, should something else use it.
network_choose() {
    local i
    for i in {1..48}; do
        case $(((i - 1) / 12)) in
        0 | 1) network_prefix=198.$((18 + SRANDOM % 2)).$((SRANDOM % 256)) ;;
        2) network_prefix=10.$((SRANDOM % 256)).$((SRANDOM % 256)) ;;
        *) network_prefix=172.$((16 + SRANDOM % 16)).$((SRANDOM % 256)) ;;
        esac
        [[ -n $(network_neighbours "$network_prefix.0/24") ]] || return 0
    done
    fail "found no free network for the nodes among 198.18.0.0/15, 10.0.0.0/8 and 172.16.0.0/12"
}

# Prints the routes that overlap network $1, leaving out those for half the Internet and more.
network_neighbours() {
    {
        ip -4 route show table all to match "$1"
        ip -4 route show table all to root "$1"
    } 2>/dev/null | grep -Ev '^(default|[0-9.]+/[1-7]) ' || :
}

# Sets network_port to the lowest of $1 neighbouring TCP ports in which nobody listens, below the ephemeral range.
network_choose_ports() {
    local count=$1 first port low=10000 high=32000 ephemeral
    read -r ephemeral _ </proc/sys/net/ipv4/ip_local_port_range
    ((high <= ephemeral)) || high=$ephemeral
    ((high - low > 4 * count)) || { low=1100 high=10000; }
    local -A busy=()
    while read -r port; do busy[$((16#$port))]=1; done < <(
        cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | sed -n 's/^ *[0-9]*: [0-9A-F]*:\([0-9A-F]*\) .*/\1/p'
    )
    local tries
    for tries in {1..200}; do
        first=$((low + SRANDOM % (high - low - count)))
        for ((port = first; port < first + count; ++port)); do
            [[ -z ${busy[$port]:-} ]] || continue 2
        done
        network_port=$first
        return 0
    done
    fail "found no $count free neighbouring ports from $low to $high (tried $tries times)"
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Words to the user. Everything goes to stderr: stdout carries only what a caller reads (the cluster's directory).

say() { printf 'cluster: %s\n' "$*" >&2; }

# Ends the command with status 1: something on this machine or in a file stands in the way.
fail() {
    say "error: $1"
    shift
    (($# == 0)) || printf '  %s\n' "$@" >&2
    exit 1
}

# Ends the command with status 2: the command line itself is wrong.
fail_usage() {
    say "error: $1"
    printf '  See: %s --help\n' "$0" >&2
    exit 2
}

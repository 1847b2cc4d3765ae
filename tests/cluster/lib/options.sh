# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# The options of start, which run takes too. Checks their form; what they name is checked where it is used.

option_spec=
option_dir=
option_owner=
option_namespaces=auto
option_controller=
option_plugin_dirs=() option_job_submit=() option_plugstack_lines=() option_conf_lines=()

# Reads start's options; what follows "--" is left in option_command, and $1 says whether that is allowed (yes or no).
options_read() {
    local with_command=$1
    shift
    option_command=()
    while (($#)); do
        case $1 in
        --spec | --dir | --owner | --plugin-dir | --job-submit | --plugstack-line | --conf-line | --controller)
            (($# > 1)) || fail_usage "$1 needs a value"
            option_set "$1" "$2"
            shift 2
            ;;
        --*=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
        --no-namespaces) option_namespaces=no && shift ;;
        --)
            [[ $with_command == yes ]] || fail_usage "only run takes a command after --"
            option_command=("${@:2}")
            return 0
            ;;
        *) fail_usage "unknown option '$1'" ;;
        esac
    done
}

option_set() {
    [[ $2 != *$'\n'* ]] || fail_usage "the value of $1 must be one line"
    [[ -n $2 ]] || fail_usage "the value of $1 is empty"
    case $1 in
    --spec) option_spec=$2 ;;
    --dir) option_dir=$2 ;;
    --owner)
        [[ $2 =~ ^[1-9][0-9]{0,9}$ ]] || fail_usage "--owner '$2' is not a process number"
        option_owner=$2
        ;;
    --plugin-dir)
        [[ -d $2 ]] || fail_usage "--plugin-dir '$2' is not a directory (Slurm's programs refuse to start on a missing one)"
        option_plugin_dirs+=("$(readlink -f "$2")")
        ;;
    --job-submit)
        [[ $2 =~ ^[a-z0-9_/]+$ ]] || fail_usage "--job-submit '$2' is not a plugin name, such as epochcast"
        option_job_submit+=("$2")
        ;;
    --controller)
        [[ $2 == /* && -x $2 && ! -d $2 ]] || fail_usage "--controller '$2' is not the absolute path of a program"
        option_controller=$2
        ;;
    --plugstack-line) option_plugstack_lines+=("$2") ;;
    --conf-line)
        [[ $2 =~ ^[A-Za-z]+= ]] || fail_usage "--conf-line '$2' does not begin with Key="
        option_conf_lines+=("$2")
        ;;
    esac
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# The spec file: which nodes a cluster has. Grammar and defaults are in README.md. Every mistake is reported as
# FILE:LINE with the value found and what is allowed, and nothing is started.

spec_cluster=epochcast
spec_nodes=()                # node names in the order of the file
spec_partitions=()           # "NAME NODES DEFAULT(YES|NO) MAXTIME_MINUTES"
declare -A spec_class=()     # node -> class
declare -A spec_cpus=() spec_quota=() spec_weight=() spec_memory=() # class -> value; quota 0 = unlimited
declare -A spec_gpus=()      # class -> TYPE:COUNT[,TYPE:COUNT]..., empty: none
declare -A spec_taken=()     # partition names

spec_nodes_most=250          # one /24 network, and one slurmd per node on one machine

spec_fail() { fail "$spec_file:$spec_line: $1" "${@:2}"; }

# Reads spec file $1 into the variables above.
spec_read() {
    spec_file=$1
    spec_line=0
    [[ -f $spec_file && -r $spec_file ]] || fail "cannot read the spec file '$spec_file'"
    local text words
    while IFS= read -r text || [[ -n $text ]]; do
        ((++spec_line))
        text=${text%$'\r'}
        [[ $text != *[![:print:][:space:]]* ]] || spec_fail "the line holds characters that are not plain text"
        read -ra words <<<"${text%%#*}"
        ((${#words[@]})) || continue
        case ${words[0]} in
        cluster) spec_read_cluster "${words[@]:1}" ;;
        class) spec_read_class "${words[@]:1}" ;;
        partition) spec_read_partition "${words[@]:1}" ;;
        *) spec_fail "unknown word '${words[0]}'" "allowed at the start of a line: cluster, class, partition" ;;
        esac
    done <"$spec_file"
    ((${#spec_nodes[@]})) || fail "$spec_file: no class line, so the cluster would have no node"
    ((${#spec_partitions[@]})) || spec_partitions=("train ALL YES 1440")
}

spec_read_cluster() {
    (($# == 1)) || spec_fail "expected 'cluster NAME'"
    [[ $1 =~ ^[a-z][a-z0-9_]{0,39}$ ]] ||
        spec_fail "cluster name '$1'" "allowed: a lower-case letter, then up to 39 of a-z 0-9 _"
    spec_cluster=$1
}

spec_read_class() {
    local class=${1:-} word nodes='' cpus='' quota=0 weight='' memory='' gpus='' names name
    spec_check_name class "$class"
    [[ -z ${spec_cpus[$class]:-} ]] || spec_fail "class '$class' was already described above"
    for word in "${@:2}"; do
        case $word in
        nodes=*) nodes=${word#*=} ;;
        cpus=*) cpus=$(spec_number "$word" 1 1024) || exit ;;
        quota=*) quota=$(spec_number "$word" 1 102400) || exit ;;
        weight=*) weight=$(spec_number "$word" 1 1000000) || exit ;;
        memory=*) memory=$(spec_number "$word" 1 10000000) || exit ;;
        gpus=*)
            gpus=${word#*=}
            [[ $gpus =~ ^[a-z0-9._]+:[1-9][0-9]?(,[a-z0-9._]+:[1-9][0-9]?)*$ ]] ||
                spec_fail "'$word'" "allowed: gpus=TYPE:COUNT[,TYPE:COUNT]..., as gpus=a100:4"
            ;;
        *) spec_fail "unknown setting '$word' of class '$class'" "allowed: nodes= cpus= quota= weight= memory= gpus=" ;;
        esac
    done
    for word in nodes cpus weight memory; do
        [[ -n ${!word} ]] || spec_fail "class '$class' lacks $word=" "needed: nodes= cpus= weight= memory="
    done
    spec_cpus[$class]=$cpus spec_quota[$class]=$quota spec_weight[$class]=$weight spec_memory[$class]=$memory
    spec_gpus[$class]=$gpus
    names=$(spec_expand "$nodes") || exit
    for name in $names; do
        [[ -z ${spec_class[$name]:-} ]] || spec_fail "node '$name' is already in class '${spec_class[$name]}'"
        spec_class[$name]=$class
        spec_nodes+=("$name")
    done
    ((${#spec_nodes[@]} <= spec_nodes_most)) || spec_fail "more than $spec_nodes_most nodes"
}

spec_read_partition() {
    local name=${1:-} word nodes='' default=NO maxtime=1440 names node
    spec_check_name partition "$name"
    [[ -z ${spec_taken[$name]:-} ]] || spec_fail "partition '$name' was already described above"
    spec_taken[$name]=1
    for word in "${@:2}"; do
        case $word in
        nodes=*) nodes=${word#*=} ;;
        default) default=YES ;;
        maxtime=*) maxtime=$(spec_number "$word" 1 525600) || exit ;;
        *) spec_fail "unknown setting '$word' of partition '$name'" "allowed: nodes= default maxtime=MINUTES" ;;
        esac
    done
    [[ -n $nodes ]] || spec_fail "partition '$name' lacks nodes=" "allowed: ALL or node names, as fast[1-2],mid1"
    [[ $default == NO || ${spec_default_partition:=$name} == "$name" ]] ||
        spec_fail "partition '$name' is default, but so is '$spec_default_partition'"
    if [[ $nodes != ALL ]]; then
        names=$(spec_expand "$nodes") || exit
        for node in $names; do
            [[ -n ${spec_class[$node]:-} ]] ||
                spec_fail "partition '$name' names the node '$node', which no class line above has"
        done
    fi
    spec_partitions+=("$name $nodes $default $maxtime")
}

spec_check_name() {
    [[ $2 =~ ^[a-zA-Z][a-zA-Z0-9_]{0,31}$ && ${2^^} != ALL && ${2^^} != DEFAULT ]] ||
        spec_fail "$1 name '$2'" "allowed: a letter, then up to 31 of A-Z a-z 0-9 _; not ALL, not DEFAULT"
}

# Prints the value of the word KEY=VALUE $1, a whole number from $2 to $3.
spec_number() {
    local value=${1#*=}
    [[ $value =~ ^[1-9][0-9]{0,8}$ ]] && ((value >= $2 && value <= $3)) ||
        spec_fail "'$1'" "allowed: a whole number from $2 to $3"
    printf '%s' "$value"
}

# Prints the names of node list $1, one a line: names with at most one bracket each, as fast[1-2,7],mid1 or n[001-048].
spec_expand() {
    local rest=$1 item ranges range from to i
    local form='^([a-zA-Z][a-zA-Z0-9-]*)(\[([0-9,-]+)\])?(,|$)'
    [[ -n $rest && $rest != *, ]] || spec_fail "node list '$1' is empty or ends in a comma"
    while [[ -n $rest ]]; do
        [[ $rest =~ $form ]] ||
            spec_fail "node list '$1' cannot be read at '$rest'" "allowed: names and ranges, as fast[1-2,7],mid1"
        item=${BASH_REMATCH[1]} ranges=${BASH_REMATCH[3]}
        rest=${rest:${#BASH_REMATCH[0]}}
        if [[ -z $ranges ]]; then
            spec_print_name "$item"
            continue
        fi
        [[ $ranges != *, ]] || spec_fail "node list '$1': the bracket ends in a comma"
        while read -rd , range; do
            [[ $range =~ ^([0-9]{1,6})(-([0-9]{1,6}))?$ ]] ||
                spec_fail "node list '$1': bad range '$range'" "allowed: a number, or FROM-TO"
            from=${BASH_REMATCH[1]} to=${BASH_REMATCH[3]:-${BASH_REMATCH[1]}}
            ((10#$from <= 10#$to && 10#$to - 10#$from < spec_nodes_most)) ||
                spec_fail "node list '$1': bad range '$range'" "allowed: rising, at most $spec_nodes_most nodes"
            for ((i = 10#$from; i <= 10#$to; ++i)); do
                spec_print_name "$(printf '%s%0*d' "$item" "${#from}" "$i")"
            done
        done <<<"$ranges,"
    done
}

spec_print_name() {
    ((${#1} <= 31)) || spec_fail "node name '$1' is longer than 31 characters"
    [[ $1 != controller && $1 != localhost ]] || spec_fail "node name '$1' is taken by the cluster itself"
    printf '%s\n' "$1"
}

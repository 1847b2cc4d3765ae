# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# What the live Slurm tests share: a cluster with the plugins, a forecast file, jobs, assertions. A test
# sources this, calls begin, then checks, then finish. Everything lies in one temporary folder, which is
# gone when the test ends, however it ends.

: "${EPOCHCAST_TEST_BIN:?run these tests by ctest, or set EPOCHCAST_TEST_BIN to the folder of write_forecast}"
: "${EPOCHCAST_TEST_PLUGINS:?folder of the built plugins}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cluster_command=$here/../cluster/cluster
failures=0
checks=0

# Makes $work with forecast.d and decisions in it. Jobs' output goes nowhere.
begin() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/epochcast-slurm.XXXXXX")
    trap tidy EXIT
    trap 'exit 130' INT TERM
    mkdir "$work/forecast.d" "$work/decisions"
    export EPOCHCAST_FORECAST_DIR=$work/forecast.d
    export SBATCH_OUTPUT=/dev/null
}

tidy() {
    local status=$? dir
    for dir in "$work"/*/env.sh; do
        [[ -e $dir ]] && "$cluster_command" stop --dir "${dir%/env.sh}" >/dev/null
    done
    rm -rf "$work"
    exit "$status"
}

# start_with_plugins NAME [OPTION of cluster start]...: a cluster in $work/NAME with all three plugins; sourced.
start_with_plugins() {
    local name=$1
    shift
    start "$name" --plugin-dir "$EPOCHCAST_TEST_PLUGINS" --job-submit epochcast \
        --plugstack-line "optional $EPOCHCAST_TEST_PLUGINS/spank_epochcast.so" "$@"
}

# start NAME [OPTION]...: a cluster in $work/NAME; its environment becomes ours, its log $log.
start() {
    local name=$1
    shift
    "$cluster_command" start --dir "$work/$name" --owner $$ --conf-line SlurmctldDebug=verbose "$@" >/dev/null || {
        echo "not ok - the cluster did not start" >&2
        exit 1
    }
    use "$name"
}

# use NAME: talk to this cluster from now on.
use() {
    # shellcheck source=/dev/null
    . "$work/$1/env.sh"
    # shellcheck disable=SC2034 # for the tests
    log=$work/$1/log/slurmctld.log
    export SBATCH_OUTPUT=/dev/null
}

# forecast MODE [WORD=VALUE]...: the forecast file of the tests. Time: fast, mid, slow. Cost: slow, fast, mid.
forecast() {
    local mode=$1
    shift
    "$EPOCHCAST_TEST_BIN/write_forecast" "$work/forecast.d" "partition=train:$mode" "decision_dir=$work/decisions" \
        class=fast:4:fast1+fast2 class=mid:3:mid1 class=slow:1:slow1+slow2 \
        task=cnn:fast:1:10 task=cnn:mid:1:20 task=cnn:slow:1:30 \
        task=cnn:fast:2:6 task=cnn:mid:2:12 task=cnn:slow:2:18 "$@" >/dev/null
}

# wait_until SECONDS COMMAND...: true as soon as COMMAND is.
wait_until() {
    local end=$((SECONDS + $1 + 1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

job_field() { scontrol --oneliner show job "$1" 2>/dev/null | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
system_comment() { scontrol show job "$1" | sed -n 's/^ *SystemComment=\(.*[^ ]\) *$/\1/p'; }
has_started() { [[ $(job_field "$1" JobState) =~ RUNNING|COMPLETED|COMPLETING ]]; }
all_idle() { [[ -z $(squeue -h) ]] && ! sinfo -h -N -o '%t' | grep -qvE '^(idle|resv)$'; }

# journal_has REGEX: this user's decision journal has such a line.
journal_has() { grep -qE "$1" "$work/decisions/$(id -u)/decisions.jsonl" 2>/dev/null; }

# nodes_of JOB: waits for its start and prints its nodes, or its state and reason.
nodes_of() {
    if wait_until 15 has_started "$1"; then
        job_field "$1" NodeList
    else
        echo "$(job_field "$1" JobState) $(job_field "$1" Reason)"
    fi
}

# clear_cluster: ends all jobs and waits for idle nodes.
clear_cluster() {
    scancel --user="$(id -un)" 2>/dev/null
    wait_until 20 all_idle || echo "# the cluster did not become idle: $(squeue -h) $(sinfo -h -N -o '%N %t')"
}

# place [sbatch OPTION]...: where an idle cluster puts this job.
place() {
    local job
    job=$(sbatch --parsable "$@" --wrap 'sleep 60' 2>&1) || {
        echo "$job"
        return
    }
    nodes_of "$job"
    clear_cluster
}

# place_script SCRIPT-TEXT [sbatch OPTION]...: the same for a script given as text.
place_script() {
    local text=$1 job
    shift
    job=$(printf '%s\n' "$text" | sbatch --parsable "$@" 2>&1) || {
        echo "$job"
        return
    }
    nodes_of "$job"
    clear_cluster
}

# reconfigures_in_place: scontrol reconfigure keeps slurmctld's memory; from 23.11 on it starts the program anew.
reconfigures_in_place() { [[ $(slurmctld -V) =~ \ (22\.|23\.02) ]]; }

# check NAME EXPECTED ACTUAL: EXPECTED is an extended regular expression for the whole of ACTUAL.
check() {
    checks=$((checks + 1))
    if [[ $3 =~ ^($2)$ ]]; then
        printf 'ok - %s\n' "$1"
    else
        printf 'not ok - %s\n#   expected: %s\n#   got:      %s\n' "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}

# check_true NAME COMMAND...
check_true() {
    local name=$1
    shift
    if "$@"; then check "$name" yes yes; else check "$name" yes "no: $*"; fi
}

# check_contains NAME TEXT ACTUAL: plain TEXT is part of ACTUAL.
check_contains() {
    if [[ $3 == *"$2"* ]]; then check "$1" yes yes; else check "$1" "something with: $2" "$3"; fi
}

finish() {
    echo "# $checks checks, $failures failed"
    exit $((failures > 0))
}

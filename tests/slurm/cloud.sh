# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Clusters without hosts, for tests of decisions: a real slurmctld whose nodes are State=CLOUD. It schedules, its jobs
# stay in the state of waiting for their nodes to boot, and nothing ever runs. Up in a second, thousands of nodes if need
# be, for any user. A test sources this after lib.sh and ends with finish; it dies with the test, however that ends.

# cloud_start NAME CONF-FILE [PLUGIN-FOLDER]: a slurmctld in $work/NAME whose nodes and partitions, and settings that
# replace the ones below, CONF-FILE holds; with the plugins of PLUGIN-FOLDER where that is given. Talks to it from now on.
# ${cloud_wrapper[@]}: what slurmctld is started by, as valgrind.
cloud_wrapper=()
cloud_start() {
    # shellcheck disable=SC2154 # $work is lib.sh's
    local name=$1 dir=$work/$1 conf=$2 plugins=${3:-} try
    mkdir -p "$dir/state" "$dir/spool" "$dir/log"
    : >"$dir/gres.conf"
    echo 'CgroupPlugin=cgroup/v1' >"$dir/cgroup.conf"
    for try in 1 2 3 4 5; do
        cloud_write_conf "$dir" $((20000 + SRANDOM % 12000)) "$conf" "$plugins"
        cloud_launch "$name" && break
        [[ $try -lt 5 ]] || {
            tail -n 20 "$dir/log/slurmctld.out" >&2
            echo "not ok - slurmctld did not start" >&2
            exit 1
        }
    done
}

cloud_write_conf() {
    local dir=$1 port=$2 conf=$3 plugins=$4 user
    user=$(id -un)
    {
        grep -vFf <(sed -n 's/^\([A-Za-z]*=\).*/\1/p' "$conf" | grep -v '^NodeName\|^PartitionName' | sort -u; echo '#no such line') <<END
ClusterName=cloud
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdSpoolDir=$dir/spool
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmctldDebug=verbose
SlurmctldSyslogDebug=quiet
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,default_queue_depth=1000,bf_interval=1,bf_resolution=1,bf_window=1440,bf_max_job_test=1000,bf_continue
PriorityType=priority/basic
GresTypes=gpu
SuspendProgram=/bin/true
ResumeProgram=/bin/true
ResumeTimeout=60000
SuspendTime=60000
SuspendTimeout=1
PrivateData=cloud
CompleteWait=0
MinJobAge=3600
InactiveLimit=0
SlurmdTimeout=0
END
        echo "SlurmctldPort=$port"
        if [[ -n $plugins ]]; then
            echo "PluginDir=$plugins:$EPOCHCAST_TEST_STOCK"
            echo 'JobSubmitPlugins=epochcast'
        fi
        cat "$conf"
    } >"$dir/slurm.conf"
}

# cloud_launch NAME: starts slurmctld in $work/NAME, again where it ran before; false if it ends or does not answer.
cloud_launch() {
    local name=$1 dir=$work/$1
    export SLURM_CONF=$dir/slurm.conf
    # shellcheck disable=SC2034 # for the tests
    log=$dir/log/slurmctld.log
    setpriv --pdeathsig KILL "${cloud_wrapper[@]}" slurmctld -D -f "$SLURM_CONF" >>"$dir/log/slurmctld.out" 2>&1 &
    echo $! >"$dir/pid"
    disown
    cloud_pids+=("$!")
    wait_until 30 cloud_answers_or_ended "$dir/pid"
    kill -0 "$(<"$dir/pid")" 2>/dev/null && cloud_answers
}
cloud_pids=()

cloud_answers() { timeout 2 scontrol ping 2>/dev/null | grep -q 'is UP'; }
cloud_answers_or_ended() { cloud_answers || ! kill -0 "$(<"$1")" 2>/dev/null; }

# cloud_use NAME: talk to this cluster from now on.
cloud_use() {
    export SLURM_CONF=$work/$1/slurm.conf
    # shellcheck disable=SC2034 # for the tests
    log=$work/$1/log/slurmctld.log
}

# cloud_kill NAME: as a crash would.
cloud_kill() {
    local pid
    pid=$(<"$work/$1/pid")
    kill -KILL "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
}

# All nodes booting and none shut down, so that Slurm weighs them all by their Weight= and no state changes meanwhile.
cloud_boot() {
    scontrol update nodename=ALL state=power_up
    wait_until 10 cloud_all_boot || echo "# not all nodes boot: $(sinfo -h -o '%N %T')"
}
cloud_all_boot() { ! sinfo -h -N -o '%T' | grep -vq '^idle#$'; }

tidy_clouds() {
    local status=$? pid
    for pid in "${cloud_pids[@]}"; do
        kill -KILL "$pid" 2>/dev/null
        while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
    done
    (exit "$status")
    tidy
}
trap tidy_clouds EXIT

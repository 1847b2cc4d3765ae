# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# The files that Slurm and its clients read, written into DIR from the spec and the options of start: slurm.conf,
# cgroup.conf, plugstack.conf, env.sh, and the table of nodes. Nothing outside DIR is read or written.

# Writes everything. Uses DIR ($dir), the mode, the addresses, the spec and the options.
conf_write() {
    conf_write_nodes >"$dir/nodes"
    {
        conf_slurm_defaults | conf_leave_out "${option_conf_lines[@]}"
        conf_node_lines
        conf_partition_lines
        ((${#option_conf_lines[@]} == 0)) || printf '%s\n' "${option_conf_lines[@]}"
    } >"$dir/slurm.conf"
    conf_write_cgroup >"$dir/cgroup.conf"
    conf_write_gres >"$dir/gres.conf"
    {
        echo '# The SPANK plugins of this cluster.'
        ((${#option_plugstack_lines[@]} == 0)) || printf '%s\n' "${option_plugstack_lines[@]}"
    } >"$dir/plugstack.conf"
    conf_write_env >"$dir/env.sh"
    [[ $mode == loopback ]] || { mkdir "$dir/run/etc" && conf_write_hosts >"$dir/run/etc/hosts"; }
}

# A line per node: NAME CLASS CPUS QUOTA(percent, 0 = unlimited) WEIGHT MEMORY_MB ADDRESS PORT.
conf_write_nodes() {
    local i node class address port
    for ((i = 0; i < ${#spec_nodes[@]}; ++i)); do
        node=${spec_nodes[i]}
        class=${spec_class[$node]}
        if [[ $mode == namespaces ]]; then
            address=$network_prefix.$((i + 3)) port=6818
        else
            address=127.0.0.1 port=$((network_port + 1 + i))
        fi
        printf '%s %s %s %s %s %s %s %s\n' "$node" "$class" "${spec_cpus[$class]}" "${spec_quota[$class]}" \
            "${spec_weight[$class]}" "${spec_memory[$class]}" "$address" "$port"
    done
}

# The nodes' own /etc/hosts.
conf_write_hosts() {
    local node class cpus quota weight memory address port
    printf '127.0.0.1 localhost\n%s.2 controller\n' "$network_prefix"
    while read -r node class cpus quota weight memory address port; do
        printf '%s %s\n' "$address" "$node"
    done <"$dir/nodes"
}

conf_slurm_defaults() {
    local controller='localhost(127.0.0.1)' port=${network_port:-0} user
    [[ $mode == loopback ]] || controller="controller($network_prefix.2)" port=6817
    user=$(id -un)
    cat <<END
ClusterName=$spec_cluster
SlurmctldHost=$controller
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.sock
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.%n.pid
SlurmdSpoolDir=$dir/spool/%n
TmpFS=$dir/tmp/%n
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
SlurmctldSyslogDebug=quiet
SlurmdSyslogDebug=quiet
PlugStackConfig=$dir/plugstack.conf
$(conf_plugin_lines)
# One machine plays all nodes: believe the configuration, not the hardware.
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MailProg=/bin/true
MpiDefault=none
PropagateResourceLimits=NONE
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SchedulerType=sched/backfill
# A job that can start does so within about a second; Slurm's defaults mean up to a minute.
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,default_queue_depth=1000,bf_interval=1,bf_resolution=1,bf_window=1440,bf_max_job_test=1000,bf_continue
PriorityType=priority/basic
ReturnToService=2
CompleteWait=0
KillWait=2
EpilogMsgTime=1
InactiveLimit=0
# scontrol show job knows a finished job for an hour.
MinJobAge=3600
SlurmctldTimeout=120
SlurmdTimeout=300
END
}

conf_plugin_lines() {
    local IFS=:
    ((${#option_plugin_dirs[@]} == 0)) || printf 'PluginDir=%s:%s\n' "${option_plugin_dirs[*]}" "$(conf_stock_plugin_dir)"
    IFS=,
    ((${#option_job_submit[@]} == 0)) || printf 'JobSubmitPlugins=%s\n' "${option_job_submit[*]}"
}

# Prints the directory with Slurm's own plugins.
conf_stock_plugin_dir() {
    local file
    for file in /usr/lib/*/slurm-wlm/select_cons_tres.so /usr/lib/*/slurm/select_cons_tres.so \
        /usr/lib{,64}/slurm/select_cons_tres.so /usr/local/lib{,64}/slurm/select_cons_tres.so; do
        [[ -e $file ]] || continue
        printf '%s' "${file%/*}"
        return 0
    done
    fail "found no directory with Slurm's own plugins" "looked for select_cons_tres.so below /usr/lib and /usr/local/lib"
}

# Copies stdin without the lines whose key one of the arguments ("Key=value") sets anew: Slurm's programs complain on
# every call about a key that is given twice.
conf_leave_out() {
    local line key other
    while IFS= read -r line; do
        key=${line%%=*}
        for other; do
            other=${other%%=*}
            [[ ${key,,} != "${other,,}" ]] || continue 2
        done
        printf '%s\n' "$line"
    done
}

conf_node_lines() {
    local node class cpus quota weight memory address port hostname
    while read -r node class cpus quota weight memory address port; do
        hostname=localhost
        [[ $mode == loopback ]] || hostname=$node
        printf 'NodeName=%s NodeHostname=%s NodeAddr=%s Port=%s Sockets=1 CoresPerSocket=%s ThreadsPerCore=1' \
            "$node" "$hostname" "$address" "$port" "$cpus"
        printf ' RealMemory=%s Weight=%s Feature=%s' "$memory" "$weight" "$class"
        [[ -z ${spec_gpus[$class]} ]] || printf ' Gres=gpu:%s' "${spec_gpus[$class]//,/,gpu:}"
        printf '\n'
    done <"$dir/nodes"
}

# Slurm wants a file for each GPU and never opens it: empty ones, the same for every node.
conf_write_gres() {
    local node class gpus gpu type count i rest
    while read -r node class rest; do
        IFS=, read -ra gpus <<<"${spec_gpus[$class]}"
        for gpu in "${gpus[@]}"; do
            type=${gpu%:*} count=${gpu#*:}
            mkdir -p "$dir/gpu"
            for ((i = 0; i < count; ++i)); do : >"$dir/gpu/$type-$i"; done
            printf 'NodeName=%s Name=gpu Type=%s File=%s/gpu/%s-[0-%s]\n' "$node" "$type" "$dir" "$type" $((count - 1))
        done
    done <"$dir/nodes"
}

conf_partition_lines() {
    local partition name nodes default maxtime
    for partition in "${spec_partitions[@]}"; do
        read -r name nodes default maxtime <<<"$partition"
        printf 'PartitionName=%s Nodes=%s Default=%s MaxTime=%s DefaultTime=%s State=UP OverSubscribe=NO\n' \
            "$name" "$nodes" "$default" "$maxtime" $((maxtime < 60 ? maxtime : 60))
    done
}

# Slurm itself has no business with control groups here. Before 23.11 there is no "disabled"; naming v1 keeps it from
# looking for a hierarchy, which it would then not use.
conf_write_cgroup() {
    local version
    version=$(slurmd -V)
    version=${version##* }
    if [[ ${version%%.*} -gt 23 || $version == 23.11.* ]]; then
        echo 'CgroupPlugin=disabled'
    else
        echo 'CgroupPlugin=cgroup/v1'
    fi
}

# What a client needs. Open MPI: TCP between nodes by the nodes' own network, shared memory only where nodes have their
# own /dev/shm; idle ranks give the core away, because all nodes share this machine's.
conf_write_env() {
    local interface=127.0.0.0/8 transports=self,tcp
    [[ $mode == loopback ]] || interface=$network_prefix.0/24 transports=self,vader,tcp
    cat <<END
# Source this to talk to the cluster in $dir (written by tests/cluster).
for epochcast_name in \$(awk 'BEGIN { for (name in ENVIRON)
    if (name ~ /^(SLURM|SLURMD|SBATCH|SALLOC|SRUN|SINFO|SQUEUE|SCANCEL|SCONTROL|SPANK|PMI|PMIX|OMPI_COMM|OMPI_UNIVERSE)_/) print name }'); do
    unset "\$epochcast_name"
done
unset epochcast_name
export SLURM_CONF=$dir/slurm.conf
export EPOCHCAST_CLUSTER_DIR=$dir
export EPOCHCAST_CLUSTER_MODE=$mode
export OMPI_MCA_pml=ob1
export OMPI_MCA_btl=$transports
export OMPI_MCA_btl_tcp_if_include=$interface
export OMPI_MCA_oob_tcp_if_include=$interface
export OMPI_MCA_mpi_yield_when_idle=1
END
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# The cluster's directory: made by start, emptied or removed by stop. Layout in README.md.

# Sets dir, and dir_made: whether the directory itself will be ours to remove. Makes nothing yet.
choose_dir() {
    local node problem longest=0
    for node in "${spec_nodes[@]}"; do ((${#node} <= longest)) || longest=${#node}; done
    if [[ -n $option_dir ]]; then
        dir=$(readlink -m "$option_dir")
    else
        dir=$(readlink -m "${TMPDIR:-/tmp}")/epochcast.$(printf '%08x' "$SRANDOM")
        directory_problem "$dir" "$longest" >/dev/null || dir=/tmp/${dir##*/}
    fi
    problem=$(directory_problem "$dir" "$longest") || fail "$problem"
    dir_made=yes
    [[ ! -e $dir ]] || dir_made=no
    [[ -n $option_dir || $dir_made == yes ]] || fail "'$dir' exists already: please try again"
    [[ $dir_made == yes || -d $dir && -w $dir ]] || fail "'$dir' is not a directory that you may write to"
    [[ ! -e $dir/run ]] || fail "a cluster runs or ran in $dir" "First: $0 stop --dir $dir"
}

# Makes DIR and what is in it. DIR is ours (dir_ours) from the moment that DIR/run is there, which comes with the
# settings in it, so that of two starts in one directory only one succeeds.
make_dir() {
    local node
    umask 022
    [[ $dir_made == no ]] || mkdir "$dir" || fail "cannot make the directory '$dir'"
    mkdir "$dir/run.$$"
    write_settings "$dir/run.$$"
    mv -T "$dir/run.$$" "$dir/run" 2>/dev/null || { rm -r "$dir/run.$$"; fail "another cluster starts in $dir"; }
    dir_ours=yes
    mkdir -p "$dir"/{pids,state,spool,tmp}
    mkdir -m 700 "$dir/munge"
    mkdir -p "$dir/log"
    for node in "${spec_nodes[@]}"; do
        mkdir "$dir/spool/$node"
        mkdir -m 1777 "$dir/tmp/$node"
    done
}

# Prints what is wrong with directory name $1 for node names of up to $2 characters, and fails; else succeeds.
directory_problem() {
    if [[ ! $1 =~ ^/[A-Za-z0-9._/+-]+$ ]]; then
        echo "directory '$1': Slurm's configuration allows only A-Z a-z 0-9 . _ / + - in it"
        return 1
    fi
    # Unix sockets lie at DIR/spool/NODE/stepd.slurm.pmix.JOB.STEP and DIR/spool/NODE/NODE_JOB.STEP: 107 bytes at most.
    local most=$((60 - $2))
    ((most <= 77 - 2 * $2)) || most=$((77 - 2 * $2))
    if ((${#1} > most)); then
        echo "directory '$1' is too long for the sockets in it: with these node names, at most $most characters"
        return 1
    fi
}

# Writes what stop, status and the cluster's own processes must know into directory $1, complete or not at all.
write_settings() {
    printf '%s=%q\n' starter "$$ $own_start" mode "$mode" dir_made "$dir_made" prefix "${network_prefix:-}" \
        interface "${interface:-}" quota_group "${quota_group:-}" controller "$option_controller" >"$1/settings.new"
    mv "$1/settings.new" "$1/settings"
}

# Removes DIR, or, where the caller made it, all in it but the logs.
remove_dir() {
    if [[ $dir_made == yes ]]; then
        rm -rf --one-file-system "$1"
    else
        rm -rf --one-file-system "$1"/{pids,state,spool,tmp,munge,nodes,env.sh,slurm.conf,cgroup.conf,gres.conf,plugstack.conf,run}
    fi
}

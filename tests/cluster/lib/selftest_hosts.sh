# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Checks of what nodes are to each other: MPI jobs in both modes, and in namespaces hosts of their own.

check_mpi() {
    if ! type -P mpicc >/dev/null; then
        echo "skipped - $1: MPI jobs: no mpicc"
        return
    fi
    cat >"$work/hello.c" <<'END'
#include <mpi.h>
#include <stdio.h>
static char buffer[1 << 20];
int main(int argc, char** argv) {
    int rank, size, sum, length;
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(name, &length);
    for (int i = 0; i < 10; ++i) MPI_Bcast(buffer, sizeof buffer, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d of %d on %s, sum %d\n", rank, size, name, sum);
    return MPI_Finalize();
}
END
    mpicc -o "$work/hello" "$work/hello.c" || return
    check "$1: MPI job inside one node" mpi_hello "$2" 'of 2 on .*, sum 1' 2 -N1 -n2 -O
    [[ $1 == loopback ]] ||
        check "$1: MPI job over all nodes" mpi_hello "$2" 'of 5 on \(fast[12]\|mid1\|slow[12]\), sum 10' 5 -N5 -n5
}

# mpi_hello DIR PATTERN COUNT OPTIONS: exactly COUNT lines, all as PATTERN and all different.
mpi_hello() {
    local output
    output=$(on "$1" timeout 60 srun -Q --mpi=pmix "${@:4}" "$work/hello" 2>&1)
    echo "$output"
    [[ $(grep -c "$2" <<<"$output") == "$3" && $(sort -u <<<"$output" | grep -c .) == "$3" ]]
}

check_hosts() {
    check "namespaces: nodes have own host names" host_names "$1"
    check "namespaces: nodes have own /dev/shm" own_shm "$1"
    check "namespaces: nodes resolve and reach each other, and nothing else" reaches "$1"
}

host_names() { diff <(on "$1" srun -Q -N5 -n5 hostname | sort) <(printf '%s\n' fast1 fast2 mid1 slow1 slow2); }

own_shm() {
    on "$1" srun -w fast1 touch "/dev/shm/ec-self.$$" && on "$1" srun -w fast1 ls "/dev/shm/ec-self.$$" &&
        [[ ! -e /dev/shm/ec-self.$$ ]] && ! on "$1" srun -w fast2 ls "/dev/shm/ec-self.$$"
}

reaches() {
    # Slurm's port on the other node, and none on an address that only a route out of the cluster would reach.
    on "$1" srun -w fast1 timeout 5 bash -c ': </dev/tcp/slow2/6818' &&
        ! on "$1" srun -w fast1 timeout 5 bash -c ': </dev/tcp/192.0.2.1/80'
}

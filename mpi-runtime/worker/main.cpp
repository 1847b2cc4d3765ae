// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// epochcast-train-worker: the zygote of an agent's workers. Started by epochcast-train with its
// descriptors, of no use by hand.

#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include <torch/torch.h>

#include "store/pool_message.hpp"
#include "worker/zygote.hpp"

namespace {

std::uint32_t number(const char* text) {
    return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

// Every step allocates what the last one freed. Given back to the kernel in between, it costs a
// page fault per 4 KiB: a sixth of a step's time.
void keep_freed_memory() {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that glibc takes
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace epochcast::runtime;
    if (argc != 8 || fcntl(pool_socket_fd, F_GETFD) < 0 || fcntl(pool_memory_fd, F_GETFD) < 0) {
        std::fprintf(stderr, "%s is started by epochcast-train, not by hand\n", worker_program);
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The agent decides what a signal means; a worker that a user's Ctrl-C or Slurm's SIGTERM ended
    // would only be started again.
    for (const int number_of_signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGPIPE}) {
        std::signal(number_of_signal, SIG_IGN);
    }
    at::set_num_threads(1);
    keep_freed_memory();

    ModelSpec spec;
    spec.name = argv[1];
    spec.channels = number(argv[2]);
    spec.height = number(argv[3]);
    spec.width = number(argv[4]);
    spec.classes = number(argv[5]);
    return run_zygote(spec, std::strtoull(argv[6], nullptr, 10), number(argv[7]));
}

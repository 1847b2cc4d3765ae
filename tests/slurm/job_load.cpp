// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Load for the figures of the shim: jobs of one CPU, each with a task t0, t1, ... and a policy, or
// without any, against the cluster that SLURM_CONF names. Use:
//
//   job_load calls COUNT TASKS    asks COUNT times where a job would run, starts it and ends it;
//                                 TASKS 0: jobs without our options
//   job_load burst COUNT TASKS    submits COUNT jobs while the partition `train` is down, lets it
//   up
//                                 and prints the seconds until the last one has started

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "random_jobs.hpp"
#include "slurm_client.hpp"

namespace {

using random_jobs::Random;
using slurm_client::Answer;

std::string job(Random& random, unsigned tasks) {
    const std::string shape = "nodes=1 limit=60";
    if (tasks == 0) return shape;
    constexpr const char* policies[] = {"time", "cost", "cost=0.5,time=0.5"};
    return shape + " comment=epochcast:task=t" + std::to_string(random.below(tasks)) +
           ";epochs=10;policy=" + policies[random.below(3)];
}

void calls(unsigned count, unsigned tasks) {
    Random random(1);
    for (unsigned i = 0; i < count; ++i) {
        const std::string text = job(random, tasks);
        slurm_client::will_run(text);
        const Answer started = slurm_client::allocate_now(text);
        if (started.accepted) slurm_client::cancel(started.job_id);
    }
}

void set_partition(std::uint16_t state) {
    update_part_msg_t update;
    slurm_init_part_desc_msg(&update);
    char name[] = "train";
    update.name = name;
    update.state_up = state;
    if (slurm_update_partition(&update) != SLURM_SUCCESS) {
        std::fprintf(stderr, "cannot change the partition: %s\n", slurm_strerror(errno));
        std::exit(1);
    }
}

unsigned pending() {
    job_info_msg_t* jobs = nullptr;
    if (slurm_load_jobs(0, &jobs, SHOW_ALL) != SLURM_SUCCESS) return UINT32_MAX;
    unsigned count = 0;
    for (std::uint32_t i = 0; i < jobs->record_count; ++i)
        if ((jobs->job_array[i].job_state & JOB_STATE_BASE) == JOB_PENDING) ++count;
    slurm_free_job_info_msg(jobs);
    return count;
}

int burst(unsigned count, unsigned tasks) {
    Random random(1);
    set_partition(PARTITION_DOWN);
    for (unsigned i = 0; i < count; ++i) slurm_client::submit(job(random, tasks), false);
    const auto from = std::chrono::steady_clock::now();
    set_partition(PARTITION_UP);
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    };
    while (pending() > 0) {
        if (seconds() > 120) return 1;
        usleep(50'000);
    }
    std::printf("%.3f\n", seconds());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "use: job_load calls|burst COUNT TASKS\n");
        return 2;
    }
    const auto count = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    const auto tasks = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
    slurm_client::start();
    if (!std::strcmp(argv[1], "burst")) return burst(count, tasks);
    calls(count, tasks);
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How this process was started, told from its environment before MPI is touched: alone, by srun, or
// by mpirun; and what Slurm calls the job.

#include <cstdint>
#include <functional>
#include <string>

#include "core/result.hpp"

namespace epochcast::runtime {

// Looks up a variable of the environment; empty if it is not set.
using Environment = std::function<std::string(const char* name)>;

struct Launch {
    std::uint32_t ranks = 1;  // agents, as the launcher says
    std::uint32_t rank = 0;   // of this process
    bool uses_mpi = false;    // MPI must be initialised: a launcher started several ranks
};

// Errors: environment, if Slurm started several tasks in a way that MPI cannot join (each would
// train alone, and write over the others).
Result<Launch> detect_launch(const Environment& environment);

// Who this job is, for the epoch log.
struct JobIdentity {
    std::string cluster;     // "local" outside Slurm
    std::string job_id;      // "1234", "1234_7", "1234+1", or "<host>-<pid>-<start>"
    std::string checkpoint;  // the same across requeues and restarts: "<cluster>-<job id>", or
                             // "local" outside Slurm
    std::string host;        // Slurm's name of this node where it has one
    bool in_slurm = false;
};

// `host`, `pid` and `start_s` (seconds since 1970) name a job outside Slurm.
JobIdentity identify_job(const Environment& environment,
                         const std::string& host,
                         int pid,
                         std::uint64_t start_s);

// CPUs that this task may use: those of its affinity mask, or fewer if Slurm gave it fewer.
std::uint32_t usable_cpus(const Environment& environment, std::uint32_t affinity_cpus);

// A task name as part of a file name: other characters than A-Z a-z 0-9 _ - become _.
std::string file_name_part(const std::string& task);

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Who a job is, for its epoch log, from the variables that Slurm sets.

#include <cstdint>
#include <functional>
#include <string>

namespace epochcast {

// Looks up a variable of the environment; empty if it is not set.
using Variables = std::function<std::string(const char* name)>;

struct JobIdentity {
    std::string cluster;         // "local" outside Slurm
    std::string job_id;          // "1234", "1234_7", "1234+1", or "<host>-<pid>-<start>"
    std::string host;            // Slurm's name of this node where it has one
    std::uint32_t nodes = 1;     // of the step, else of the job
    std::uint32_t restarts = 0;  // how often Slurm requeued the job
};

// `host`, `pid` and `start_s` (seconds since 1970) name a job outside Slurm.
JobIdentity job_identity(const Variables& variables,
                         const std::string& host,
                         int pid,
                         std::uint64_t start_s);

}  // namespace epochcast

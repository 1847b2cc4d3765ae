// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What Slurm says of its jobs and nodes now. libslurm ends the process where it finds no
// configuration, and waits for minutes where the controller does not answer; so a child process
// asks, and the parent waits for it no longer than it wants to.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

struct JobView {
    std::uint32_t job_id = 0;
    std::uint32_t array_job_id = 0;   // 0: not of an array
    std::uint32_t array_task_id = 0;  // meaningful in an array
    std::uint32_t uid = 0;
    std::string state;      // Slurm's word: "PENDING"
    std::string reason;     // why it is pending
    std::string partition;  // names with commas between them
    std::string nodes;      // hostlist; empty: none yet
    std::string comment;    // the user's
    std::uint32_t least_nodes = 0;
    std::uint32_t cpus = 0;         // in all
    std::int64_t start_unix_s = 0;  // of the start, or when Slurm expects it; 0: not known
    std::int64_t end_unix_s = 0;    // by its time limit, or when it ended
    bool is_active = false;         // holds its nodes
    bool is_pending = false;
};

struct NodeView {
    std::string name;
    std::string state;       // Slurm's word: "IDLE", "MIXED+DRAIN"
    bool is_usable = false;  // takes jobs: up, and not drained or reserved for something else
    std::uint32_t cpus = 0;
    std::uint32_t cpus_taken = 0;
};

struct ClusterView {
    std::vector<JobView> jobs;
    std::vector<NodeView> nodes;
};

// Errors: environment (no Slurm here, no answer within the time, the controller's refusal).
Result<ClusterView> view_cluster(std::chrono::milliseconds most_time);

}  // namespace epochcast

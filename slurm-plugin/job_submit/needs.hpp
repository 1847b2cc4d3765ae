// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What a job asks of Slurm, as far as it decides on which classes of nodes the job could ever run.
// Of a job that is being submitted, or of a pending one with the changes that are asked for.

#include <cstdint>
#include <string>

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

// Texts are Slurm's and may be null or empty: not asked for.
struct Needs {
    uint32_t uid = 0;
    char* partitions = nullptr;  // comma list; null: the default one
    char* required_nodes = nullptr;
    char* excluded_nodes = nullptr;  // by the user, not by us
    const char* features = nullptr;
    const char* devices = nullptr;      // tres_per_node
    const char* job_devices = nullptr;  // tres_per_job
    uint32_t option_gpus = 0;           // per node, by --train-gpus; 0: not given
    uint32_t least_nodes = 1;
    uint32_t most_nodes = 1;
    uint32_t cpus = 0;        // of the whole job; 0: not stated
    uint32_t node_cpus = 1;   // of each node
    uint64_t memory_mib = 0;  // of each node; 0: not stated
};

Needs needs_of(const job_desc_msg_t& job, uint32_t submit_uid);

// excluded_nodes is what the job has, or what the change says.
Needs needs_of(const job_record_t& job, const job_desc_msg_t& change);

// GPUs per node in a tres_per_node text such as "gres:gpu:a100:2"; 0: none.
uint32_t gpus_per_node(const char* tres_per_node);

// What each node must have of GPUs: at least so many, of a type where one is named.
struct GpuNeed {
    uint32_t count = 0;
    std::string type;
};
GpuNeed gpus_of_node(const Needs& needs);

}  // namespace epochcast::slurm

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The GPUs that a job asks for on each node, as slurmctld keeps them with the job, and how many of
// them a node has left. MIG slices are GPUs of a type ("1g.10gb") and counted like any other.

#include <cstdint>

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

// GPUs per node that the job asks for, types added up; 0: none, or it cannot be told (so many per
// socket, or per job on a number of nodes that is open).
uint32_t gpus_per_node(const job_record_t& job);

// Whether it asks for so many in all, on whichever nodes.
bool has_gpus_per_job(const job_record_t& job);

// Makes the job ask for `count` per node. Only for jobs with one request for GPUs per node, as
// job_submit writes it for --train-gpus; others are left alone, and the answer is false.
bool set_gpus_per_node(job_record_t& job, uint32_t count);

// Whether the node has the GPUs that the job asks for, of their types, idle or not.
bool has_gpus_for(const node_record_t& node, const job_record_t& job);

}  // namespace epochcast::slurm

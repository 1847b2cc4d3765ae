// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The GPUs that slurmctld knows of a node. MIG slices are GPUs of a type ("1g.10gb").

#include <cstdint>

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

// Whether an entry of a list of generic resources is about GPUs.
bool is_gpu(const gres_state_t& gres);

// Its GPUs of a type, taken or not; null or "": of all types.
uint64_t count_gpus(const node_record_t& node, const char* type);

// Those that no job has.
uint64_t idle_gpus(const node_record_t& node);

}  // namespace epochcast::slurm

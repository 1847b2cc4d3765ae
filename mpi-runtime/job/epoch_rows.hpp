// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The model job's own row, from the rows of its nodes.

#include <span>

#include "core/epoch_record.hpp"

namespace epochcast::runtime {

// wall = max, start = min, memory = max, CPU, disk, FLOP and samples = sum; epoch, flags, steps and
// loss as in the first row, where they are the same for all. A quantity that one node could not
// measure is absent. `nodes` is not empty.
EpochRecord model_job_row(std::span<const EpochRecord> nodes);

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The history as the forecast rules see it: measured epochs of one task, with equal attributes, on
// one placement.

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/epoch_record.hpp"
#include "core/task.hpp"

namespace epochcast {

// Where a job could run or ran: so many nodes of one class, so many devices on each.
struct Placement {
    std::string node_class;
    std::uint32_t nodes = 1;
    std::uint32_t devices_per_node = 0;                  // 0: CPU only
    auto operator<=>(const Placement&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Series {
    TaskKey task;
    TaskAttributes attributes;
    Placement placement;
    std::vector<double> startups_s;    // per run: model job's start to its first epoch, seconds
    std::vector<EpochRecord> records;  // rows of unit_model_job only, in order of start_ns
};

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Nodes with the same hardware, and what they cost and can do.

#include <cstdint>
#include <string>
#include <vector>

#include "core/epoch_record.hpp"

namespace epochcast {

struct NodeClass {
    std::string name;                     // unique in the configuration
    std::vector<std::string> nodes;       // host names, expanded, each in one class only
    double flop_rate = absent;            // measured by `epochcast probe`, FLOP/s of one node
    double price_per_node_hour = absent;  // in the site's money
    std::uint32_t cores = 0;              // 0: not stated
    std::uint64_t memory_bytes = absent_count;
};

}  // namespace epochcast

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
    std::string device = {};                // GRES type of its accelerators ("a100", "1g.10gb")
    std::uint32_t devices_per_node = 0;     // 0: none, or not stated
    double price_per_device_hour = absent;  // at most one of the two prices is known
};

// What an hour of one node costs a job that takes `devices` of it (0: all of them).
inline double price_of_node(const NodeClass& node_class, std::uint32_t devices) {
    if (node_class.price_per_device_hour != node_class.price_per_device_hour)
        return node_class.price_per_node_hour;
    const std::uint32_t taken = devices == 0 ? node_class.devices_per_node : devices;
    return taken == 0 ? absent : node_class.price_per_device_hour * taken;
}

}  // namespace epochcast

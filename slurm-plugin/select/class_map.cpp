// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/class_map.hpp"

#include <algorithm>

namespace epochcast::slurm {

// A dynamic node that is deleted may leave its index and its record's address to a new one. So
// every call looks a few entries up anew; a wrong class, which costs a job no more than its order
// of nodes, lasts for nodes/checks_per_use calls.
constexpr std::size_t checks_per_use = 8;

void ClassMap::use(const epochcast_table_t* table, std::size_t nodes, std::time_t now) {
    const bool believes_pings = now <= epochcast_table_pings_fresh_until(table);
    const uint64_t version = epochcast_table_nodes_version(table);
    table_ = table;
    if (version != version_ || node_record_table_ptr != node_table_ ||
        slurm_conf.last_update != configured_ || nodes != entries_.size() ||
        believes_pings != believes_pings_) {
        version_ = 0;
        entries_.assign(nodes, Entry{});
        version_ = version;
        node_table_ = node_record_table_ptr;
        configured_ = slurm_conf.last_update;
        believes_pings_ = believes_pings;
    }
    for (std::size_t i = 0; i < std::min(checks_per_use, nodes); ++i) {
        next_check_ = next_check_ + 1 < nodes ? next_check_ + 1 : 0;
        renew(next_check_);
    }
}

void ClassMap::renew(std::size_t index) {
    const node_record_t* node = node_record_table_ptr[index];
    const int32_t node_class =
        node && node->name ? epochcast_table_class_of_node(table_, node->name) : -1;
    const bool is_failed =
        believes_pings_ && node && node->name && epochcast_table_ping_failed(table_, node->name);
    entries_[index] = {node, node_class, is_failed};
}

}  // namespace epochcast::slurm

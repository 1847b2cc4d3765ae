// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/class_map.hpp"

#include <algorithm>

namespace epochcast::slurm {

// Ten thousand nodes are all looked up anew within 1 250 calls.
constexpr std::size_t checks_per_use = 8;

void ClassMap::use(const epochcast_table_t* table, std::size_t nodes, std::time_t now) {
    const bool believes_pings = now <= epochcast_table_pings_fresh_until(table);
    const uint64_t version = epochcast_table_nodes_version(table);
    table_ = table;
    if (version != version_ || node_record_table_ptr != node_table_ ||
        slurm_conf.last_update != configured_ || nodes != entries_.size() ||
        believes_pings != believes_pings_) {
        version_ = 0;
        entries_.resize(nodes);
        records_.resize(nodes);
        believes_pings_ = believes_pings;
        for (std::size_t i = 0; i < nodes; ++i) renew(i);
        version_ = version;
        node_table_ = node_record_table_ptr;
        configured_ = slurm_conf.last_update;
        return;
    }
    if (nodes && std::memcmp(records_.data(), node_record_table_ptr, nodes * sizeof records_[0]))
        for (std::size_t i = 0; i < nodes; ++i)
            if (records_[i] != node_record_table_ptr[i]) renew(i);
    for (std::size_t i = 0; i < std::min(checks_per_use, nodes); ++i) {
        next_check_ = next_check_ + 1 < nodes ? next_check_ + 1 : 0;
        renew(next_check_);
    }
}

void ClassMap::renew(std::size_t index) {
    const node_record_t* node = node_record_table_ptr[index];
    records_[index] = node;
    entries_[index] = {};
    if (!node) return;
    Entry& entry = entries_[index];
    entry.weight = node->weight;
    entry.cpus = node->cpus;
    if (!node->name) return;
    const int32_t node_class = epochcast_table_class_of_node(table_, node->name);
    if (node_class <= INT16_MAX) entry.node_class = static_cast<int16_t>(node_class);
    entry.is_failed = believes_pings_ && epochcast_table_ping_failed(table_, node->name);
}

}  // namespace epochcast::slurm

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Which class each node of slurmctld's node table belongs to, remembered by node index so that a
// scheduling pass over thousands of nodes looks no name up twice and reads no node's record.

#include <vector>

#include "common/slurm_version.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

class ClassMap {
  public:
    // Forgets everything if the forecast table, the node table or slurm.conf is another one, and
    // looks whether some of the nodes still have the names they had. Throws std::bad_alloc. Call
    // before look_up(), with the node table locked.
    void use(const epochcast_table_t* table, std::size_t nodes, std::time_t now);

    struct Entry {
        const node_record_t* node = nullptr;
        int32_t node_class = -1;  // -1: none, or no such node
        bool is_failed = false;   // its newest ping failed, and pings are to be believed
    };
    // The node at this index of the node table.
    const Entry& look_up(std::size_t index) {
        if (index >= entries_.size()) return nowhere_;
        Entry& entry = entries_[index];
        if (entry.node != node_record_table_ptr[index]) renew(index);
        return entry;
    }

  private:
    void renew(std::size_t index);

    std::vector<Entry> entries_;
    const epochcast_table_t* table_ = nullptr;
    uint64_t version_ = 0;  // of what the table says of nodes
    const void* node_table_ = nullptr;
    std::time_t configured_ = 0;
    bool believes_pings_ = false;
    Entry nowhere_;
    std::size_t next_check_ = 0;
};

}  // namespace epochcast::slurm

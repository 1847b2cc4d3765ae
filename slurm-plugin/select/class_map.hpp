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
    // before class_of(), with the node table locked.
    void use(const epochcast_table_t* table, std::size_t nodes);

    // The table is about to be freed: another one may come to the same address.
    void forget() { table_ = nullptr; }

    // The class of the node at this index of the node table; -1: none, or no such node.
    int32_t class_of(std::size_t index) {
        if (index >= entries_.size()) return -1;
        Entry& entry = entries_[index];
        if (entry.node != node_record_table_ptr[index]) look_up(index);
        return entry.node_class;
    }

  private:
    struct Entry {
        const node_record_t* node = nullptr;
        int32_t node_class = -1;
    };
    void look_up(std::size_t index);

    std::vector<Entry> entries_;
    const epochcast_table_t* table_ = nullptr;
    const void* node_table_ = nullptr;
    std::time_t configured_ = 0;
    std::size_t next_check_ = 0;
};

}  // namespace epochcast::slurm

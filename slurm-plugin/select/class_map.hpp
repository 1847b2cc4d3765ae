// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What the shim must know of each node of slurmctld's node table, remembered by its index: a record
// there is half a kilobyte, and ten thousand of them are in no cache when a job_test begins.

#include <vector>

#include "common/slurm_version.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

class ClassMap {
  public:
    // Looks everything up anew if the forecast table, the node table or slurm.conf is another one,
    // nodes that were put into the table or taken from it at once, and else a few more at each
    // call: a dynamic node may come to the index and the address of one that was deleted, and
    // scontrol may change a weight. Until its turn comes such a node costs a job no more than its
    // order of nodes. Throws std::bad_alloc. Call before look_up(), with the node table locked.
    void use(const epochcast_table_t* table, std::size_t nodes, std::time_t now);

    struct Entry {
        uint32_t weight = 0;  // as configured
        uint16_t cpus = 0;
        int16_t node_class = -1;  // -1: none, or no such node
        bool is_failed = false;   // its newest ping failed, and pings are to be believed
    };
    // The node at this index of the node table.
    const Entry& look_up(std::size_t index) const {
        return index < entries_.size() ? entries_[index] : nowhere_;
    }

  private:
    void renew(std::size_t index);

    std::vector<Entry> entries_;
    std::vector<const node_record_t*> records_;  // that the entries were made of
    const epochcast_table_t* table_ = nullptr;
    uint64_t version_ = 0;  // of what the table says of nodes
    const void* node_table_ = nullptr;
    std::time_t configured_ = 0;
    bool believes_pings_ = false;
    const Entry nowhere_;
    std::size_t next_check_ = 0;
};

}  // namespace epochcast::slurm

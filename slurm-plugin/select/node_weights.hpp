// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The weights of slurmctld's nodes, changed for the duration of one job_test and put back after it.
// cons_tres takes the lowest weight first. Ours orders by, first to last:
//   what Slurm keeps in bits 40 and up (a node that must boot comes last), our rank, Slurm's
//   weight.

#include <vector>

#include "select/candidates.hpp"

namespace epochcast::slurm {

class NodeWeights {
  public:
    NodeWeights() = default;
    ~NodeWeights() { restore(); }
    NodeWeights(const NodeWeights&) = delete;
    NodeWeights& operator=(const NodeWeights&) = delete;

    // Room for this many nodes, so that set() never allocates. Throws std::bad_alloc.
    void reserve(std::size_t nodes);

    // Puts every candidate at its rank. At most reserve()d nodes; once until restore().
    void set(const Candidates& candidates, bool will_run);

    // Puts back what was there. Does nothing the second time.
    void restore();

  private:
    struct Saved {
        node_record_t* node;
        uint64_t sched_weight;
    };
    std::vector<Saved> saved_;
    std::vector<uint32_t> saved_weights_;  // node_record_t::weight of the same nodes, if it was set
};

}  // namespace epochcast::slurm

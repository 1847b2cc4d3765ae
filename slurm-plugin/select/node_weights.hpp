// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The weights of slurmctld's nodes, changed for the duration of one job_test and put back after it.
// cons_tres takes the lowest weight first. Ours orders by, first to last:
//   what Slurm keeps in bits 40 and up (a node that must boot comes last), our rank, Slurm's
//   weight.

#include <vector>

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

class NodeWeights {
  public:
    NodeWeights() = default;
    ~NodeWeights() { restore(); }
    NodeWeights(const NodeWeights&) = delete;
    NodeWeights& operator=(const NodeWeights&) = delete;

    // Room for this many nodes, so that set() never allocates. Throws std::bad_alloc.
    void reserve(std::size_t nodes) { saved_.reserve(nodes); }

    // Puts the node at this rank (0 first). At most reserve()d nodes, each once until restore().
    void set(node_record_t* node, uint16_t rank, bool will_run);

    // Whether a node has another weight than Slurm gave it.
    bool changed() const { return !saved_.empty(); }

    // Puts back what was there. Does nothing the second time.
    void restore();

  private:
    struct Saved {
        node_record_t* node;
        uint64_t sched_weight;
        uint32_t weight;  // meaningful if has_weight
        bool has_weight;
    };
    std::vector<Saved> saved_;
};

}  // namespace epochcast::slurm

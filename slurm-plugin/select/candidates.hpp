// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The nodes that one job_test may choose from, counted by class, and the order in which the classes
// shall be tried.

#include <vector>

#include "select/class_map.hpp"

namespace epochcast::slurm {

class Candidates {
  public:
    struct Node {
        uint32_t index;      // in slurmctld's node table
        int32_t node_class;  // -1: none
    };

    // Lists the set bits of test.nodes and counts them by class. Throws std::bad_alloc; afterwards
    // no member allocates.
    void scan(const JobTest& test, ClassMap& map, uint32_t classes);

    const std::vector<Node>& nodes() const { return nodes_; }

    uint32_t classes() const { return static_cast<uint32_t>(counts_.size()); }
    // One byte per class, as epochcast_rank() wants it.
    const uint8_t* flags() const { return flags_.data(); }
    bool one_class_only() const { return kinds_ == 1; }

    // The order of epochcast_rank(): the first `rankable` choices. All else comes last, together.
    void order_by(const epochcast_choice_t* choices, uint32_t rankable);
    uint16_t rank_of(int32_t node_class) const;

    // Whether the job could take more than one node.
    static bool may_span_nodes(const JobTest& test) {
        return test.min_nodes > 1 || (test.max_nodes != 1 && test.job->details->num_tasks > 1);
    }

    // For a job that may span nodes: the best class whose candidates could hold the whole job, and
    // every node that the user requires; -1: none. What they have free is not known here: stock has
    // to try.
    int32_t whole_job_class(const JobTest& test, ClassMap& map) const;

    // The job does not fit into this class now: rank it, and the classes that are too small for the
    // whole job, behind the others, so that the job rather lands on one class than on a mix.
    void demote(int32_t node_class, const JobTest& test);

  private:
    struct Count {
        uint32_t nodes = 0;
        uint64_t cpus = 0;
    };
    bool large_enough(const Count& count, const JobTest& test) const;

    std::vector<Node> nodes_;
    std::vector<Count> counts_;
    std::vector<uint8_t> flags_;
    std::vector<uint16_t> ranks_;
    uint32_t kinds_ = 0;  // classes among the candidates; "no class" counts as one
    uint16_t rankable_ = 0;
};

}  // namespace epochcast::slurm

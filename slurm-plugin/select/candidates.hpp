// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The nodes that one job_test may choose from, counted by class, and the order in which the classes
// shall be tried.

#include <span>
#include <vector>

#include "select/class_map.hpp"
#include "select/plan.hpp"

namespace epochcast::slurm {

class Candidates {
  public:
    struct Node {
        uint32_t index;      // in slurmctld's node table
        uint32_t weight;     // as configured
        int16_t node_class;  // -1: none
        bool is_failed;      // its newest ping failed
    };

    // Lists the set bits of test.nodes and counts them by class. `counts_devices`: looks, too, at
    // how many GPUs each node has idle. Throws std::bad_alloc; afterwards no member allocates.
    void scan(const JobTest& test,
              ClassMap& map,
              uint32_t classes,
              const Freedom& freedom,
              bool counts_devices);

    std::span<const Node> nodes() const { return {nodes_.data(), node_count_}; }

    uint32_t classes() const { return static_cast<uint32_t>(counts_.size()); }
    // One per class, as epochcast_rank() wants them.
    const epochcast_offer_t* offers() const { return offers_.data(); }
    // A wait for a class, for the next epochcast_rank().
    void set_wait(uint32_t node_class, double seconds) { offers_[node_class].wait_s = seconds; }
    bool one_class_only() const { return kinds_ <= 1; }
    bool has_failed() const { return has_failed_; }

    // The order of epochcast_rank(): the first `rankable` choices. All else comes after them,
    // together, and nodes whose ping failed last of all.
    void order_by(const epochcast_choice_t* choices, uint32_t rankable);
    uint16_t rank_of(const Node& node) const {
        if (node.is_failed) return static_cast<uint16_t>(last_rank() + 1);
        const auto index = static_cast<std::size_t>(node.node_class);
        return index < ranks_.size() ? ranks_[index] : last_rank();
    }

    // Whether the job could take more than one node.
    static bool may_span_nodes(const JobTest& test) {
        return test.min_nodes > 1 || (test.max_nodes != 1 && test.job->details->num_tasks > 1);
    }

    // The best class whose candidates could hold the whole job on `nodes` nodes, and every node
    // that the user requires; -1: none. What they have free is not known here: stock has to try.
    int32_t whole_job_class(const JobTest& test, ClassMap& map, const Plan& plan) const;

    // The job does not fit into this class now: rank it, and the classes that are too small for the
    // whole job, behind the others, so that the job rather lands on one class than on a mix.
    void demote(int32_t node_class, const JobTest& test);

    // The class that stock would rather take, told by the configured weights of the candidates;
    // -1: none.
    int32_t lightest_class() const { return lightest_class_; }

  private:
    struct Count {
        uint32_t nodes = 0;
        uint32_t first = 0;  // index of one of them
        uint64_t cpus = 0;
    };
    static constexpr std::size_t counted_devices = 64;

    bool large_enough(const Count& count, uint32_t nodes, const JobTest& test) const;
    void bound_devices(const Freedom& freedom);
    uint16_t last_rank() const { return static_cast<uint16_t>(2 * rankable_); }

    void count(const JobTest& test, const ClassMap& map);

    std::vector<Node> nodes_;  // the first node_count_ of them
    std::size_t node_count_ = 0;
    int32_t lightest_class_ = -1;
    std::vector<Count> counts_;
    std::vector<epochcast_offer_t> offers_;
    std::vector<uint32_t> idle_devices_;  // nodes by class and idle devices
    std::vector<uint16_t> ranks_;
    uint32_t kinds_ = 0;  // classes among the candidates; "no class" counts as one
    bool has_failed_ = false;
    uint16_t rankable_ = 0;
};

}  // namespace epochcast::slurm

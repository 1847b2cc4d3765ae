// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/node_weights.hpp"

#include <algorithm>

namespace epochcast::slurm {

namespace {

constexpr uint64_t low_bits = (uint64_t{1} << 40) - 1;
constexpr uint64_t boot_bit = uint64_t{1} << 41;  // as _set_sched_weight() in slurmctld sets it

// What the node weighs before we rank it. RUN_NOW: what slurmctld has just set, and that the node
// must boot, which Slurm says of its nodes only where others with the same line in slurm.conf are
// up: else a class of which all nodes sleep would come before a better one of which some do.
// WILL_RUN in 22.05 and 23.02 finds there what an earlier job left, so it is made again from the
// configured weight, in the same form, or a plan and the start that follows it would differ.
uint64_t stock_weight(uint64_t sched_weight, uint32_t weight, bool sleeps, bool will_run) {
    const uint64_t boots = sleeps ? boot_bit : 0;
    if (!will_run || will_run_reads_weight) return sched_weight | boots;
    return (uint64_t{weight} << 8) | 0xff | boots;
}

// For 23.11 and later: WILL_RUN shifts this 32-bit weight by 16 bits and adds the bits of power
// saving and completing nodes itself. Weights above 2^20 lose their order within a class.
uint32_t ranked_weight(uint32_t weight, uint16_t rank) {
    constexpr uint32_t weight_bits = 20;
    constexpr uint32_t most = (uint32_t{1} << weight_bits) - 1;
    const uint32_t ranks = std::min<uint32_t>(rank, (uint32_t{1} << (32 - weight_bits)) - 1);
    return (ranks << weight_bits) | std::min(weight, most);
}

// Thousands of records, a cache line of each: they are asked for before their turn.
constexpr std::size_t lines_ahead = 24;

void ask_for(const node_record_t* node, bool sets_weight) {
    if (!node) return;
    __builtin_prefetch(&node->sched_weight, 1);
    if (SleepingNodes::reads_records) __builtin_prefetch(&node->node_state);
    if (sets_weight) __builtin_prefetch(&node->weight, 1);
}

}  // namespace

void NodeWeights::reserve(std::size_t nodes) {
    saved_.reserve(nodes);
    if (will_run_reads_weight) saved_weights_.reserve(nodes);
}

void NodeWeights::set(const Candidates& candidates, bool will_run) {
    const std::span<const Candidates::Node> nodes = candidates.nodes();
    const bool sets_weight = will_run && will_run_reads_weight;
    const SleepingNodes sleeping;
    for (std::size_t i = 0; i < nodes.size() && saved_.size() < saved_.capacity(); ++i) {
        if (i + lines_ahead < nodes.size())
            ask_for(node_record_table_ptr[nodes[i + lines_ahead].index], sets_weight);
        node_record_t* node = node_record_table_ptr[nodes[i].index];
        if (!node) continue;
        const uint64_t found = node->sched_weight;
        const uint64_t stock =
            stock_weight(found, nodes[i].weight, sleeping.has(node, nodes[i].index), will_run);
        const uint16_t rank = candidates.rank_of(nodes[i]);
        const uint64_t ranked = ((stock >> 40) << 56) | (uint64_t{rank} << 40) | (stock & low_bits);
        if (ranked == found && !sets_weight) continue;
        saved_.push_back({node, found});
        node->sched_weight = ranked;
        if (sets_weight) {
            saved_weights_.push_back(node->weight);
            node->weight = ranked_weight(node->weight, rank);
        }
    }
}

void NodeWeights::restore() {
    for (std::size_t i = 0; i < saved_.size(); ++i) {
        if (i + lines_ahead < saved_.size())
            __builtin_prefetch(&saved_[i + lines_ahead].node->sched_weight, 1);
        saved_[i].node->sched_weight = saved_[i].sched_weight;
    }
    for (std::size_t i = 0; i < saved_weights_.size(); ++i)
        saved_[i].node->weight = saved_weights_[i];
    saved_.clear();
    saved_weights_.clear();
}

}  // namespace epochcast::slurm

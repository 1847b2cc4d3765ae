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
uint64_t stock_weight(const node_record_t* node, bool will_run) {
    const uint64_t boots = IS_NODE_POWERED_DOWN(node) ? boot_bit : 0;
    if (!will_run || will_run_reads_weight) return node->sched_weight | boots;
    return (uint64_t{node->weight} << 8) | 0xff | boots;
}

// For 23.11 and later: WILL_RUN shifts this 32-bit weight by 16 bits and adds the bits of power
// saving and completing nodes itself. Weights above 2^20 lose their order within a class.
uint32_t ranked_weight(uint32_t weight, uint16_t rank) {
    constexpr uint32_t weight_bits = 20;
    constexpr uint32_t most = (uint32_t{1} << weight_bits) - 1;
    const uint32_t ranks = std::min<uint32_t>(rank, (uint32_t{1} << (32 - weight_bits)) - 1);
    return (ranks << weight_bits) | std::min(weight, most);
}

}  // namespace

void NodeWeights::set(node_record_t* node, uint16_t rank, bool will_run) {
    if (!node || saved_.size() == saved_.capacity()) return;
    const uint64_t stock = stock_weight(node, will_run);
    const uint64_t ranked = ((stock >> 40) << 56) | (uint64_t{rank} << 40) | (stock & low_bits);
    const bool sets_weight = will_run && will_run_reads_weight;
    if (ranked == node->sched_weight && !sets_weight) return;
    saved_.push_back({node, node->sched_weight, sets_weight ? node->weight : 0, sets_weight});
    node->sched_weight = ranked;
    if (sets_weight) node->weight = ranked_weight(node->weight, rank);
}

void NodeWeights::restore() {
    for (const Saved& saved : saved_) {
        saved.node->sched_weight = saved.sched_weight;
        if (saved.has_weight) saved.node->weight = saved.weight;
    }
    saved_.clear();
}

}  // namespace epochcast::slurm

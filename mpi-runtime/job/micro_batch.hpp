// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How an epoch is cut: epoch -> steps of `batch` samples -> micro-batches of `micro_batch` samples,
// and which node computes which. The cut does not depend on the number of nodes or workers; only
// the assignment does.

#include <cstdint>
#include <vector>

namespace epochcast::runtime {

// Samples [begin, begin + samples) of the epoch's order.
struct MicroBatch {
    std::uint64_t begin = 0;
    std::uint32_t samples = 0;
    bool operator==(const MicroBatch&) const = default;
};

// Half-open range of micro-batch positions in a step.
struct MicroBatchRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t count() const { return end - begin; }
    bool operator==(const MicroBatchRange&) const = default;
};

struct EpochCut {
    std::uint64_t samples = 1;
    std::uint32_t batch = 1;
    std::uint32_t micro_batch = 1;  // at most batch

    std::uint64_t steps() const { return (samples + batch - 1) / batch; }
    // Samples of a step; the last one may be smaller.
    std::uint32_t step_samples(std::uint64_t step) const;
    // In order; all of `micro_batch` samples but the step's last, which may be smaller.
    std::vector<MicroBatch> micro_batches(std::uint64_t step) const;
    // Most micro-batches that a step has.
    std::uint32_t micro_batches_per_step() const;
    // Samples of the smallest micro-batch of the epoch.
    std::uint32_t smallest_micro_batch() const;
};

// The micro-batches of a step with `count` of them that fall to one of `nodes` nodes: consecutive,
// and as equal as possible.
MicroBatchRange share_of_node(std::uint32_t count, std::uint32_t node, std::uint32_t nodes);

}  // namespace epochcast::runtime

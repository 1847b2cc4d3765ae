// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/micro_batch.hpp"

#include <algorithm>

namespace epochcast::runtime {

namespace {

std::uint32_t last_piece(std::uint64_t total, std::uint32_t piece) {
    const auto rest = static_cast<std::uint32_t>(total % piece);
    return rest == 0 ? piece : rest;
}

}  // namespace

std::uint32_t EpochCut::step_samples(std::uint64_t step) const {
    return step + 1 < steps() ? batch : last_piece(samples, batch);
}

std::vector<MicroBatch> EpochCut::micro_batches(std::uint64_t step) const {
    std::vector<MicroBatch> cut;
    const std::uint32_t total = step_samples(step);
    for (std::uint32_t done = 0; done < total; done += micro_batch) {
        cut.push_back({step * batch + done, std::min(micro_batch, total - done)});
    }
    return cut;
}

std::uint32_t EpochCut::micro_batches_per_step() const {
    const auto largest = static_cast<std::uint32_t>(std::min<std::uint64_t>(samples, batch));
    return (largest + micro_batch - 1) / micro_batch;
}

std::uint32_t EpochCut::smallest_micro_batch() const {
    const std::uint32_t in_last_step = last_piece(step_samples(steps() - 1), micro_batch);
    return steps() > 1 ? std::min(in_last_step, last_piece(batch, micro_batch)) : in_last_step;
}

MicroBatchRange share_of_node(std::uint32_t count, std::uint32_t node, std::uint32_t nodes) {
    const auto edge = [&](std::uint64_t n) {
        return static_cast<std::uint32_t>(std::uint64_t{count} * n / nodes);
    };
    return {edge(node), edge(std::uint64_t{node} + 1)};
}

}  // namespace epochcast::runtime

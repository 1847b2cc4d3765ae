// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// One optimiser step over all nodes: compute the node's micro-batches, exchange results, add them
// up in micro-batch order, move the parameters.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agent/collective.hpp"
#include "agent/worker_pool.hpp"
#include "config/job_file.hpp"
#include "core/result.hpp"
#include "job/micro_batch.hpp"
#include "store/board.hpp"

namespace epochcast::runtime {

// What a step gave; the same on every node but for `own_`.
struct StepOutcome {
    double loss_sum = 0;
    int stop_signal = 0;  // that asked some node to stop; 0: none
    std::uint64_t own_samples = 0;
    double own_flop = 0;
};

// Does steps on a board. Holds references to all that it is given.
class StepRunner {
  public:
    StepRunner(const TrainJob& job,
               const EpochCut& cut,
               Collective& collective,
               WorkerPool& pool,
               Board board);

    // `order` is the epoch's order of samples. Changes parameters, velocity and statistics. Errors:
    // environment, the same on every node; then the state is that before the step.
    Result<StepOutcome> run(std::span<const std::uint32_t> order,
                            std::uint64_t epoch,
                            std::uint64_t step,
                            int stop_signal);

    std::vector<float>& velocity() { return velocity_; }

  private:
    Result<void> compute(std::span<const std::uint32_t> order,
                         std::uint64_t epoch,
                         std::uint64_t step,
                         const std::vector<MicroBatch>& cut,
                         MicroBatchRange own);
    // All nodes' blocks of this step, in rank order.
    std::vector<std::span<const std::byte>> exchange(std::uint32_t micro_batches);
    void aggregate(std::span<const std::byte> results, std::size_t count, StepOutcome& outcome);

    const TrainJob& job_;
    const EpochCut& cut_;
    Collective& collective_;
    WorkerPool& pool_;
    Board board_;
    std::vector<float> velocity_;
    std::vector<float> gradient_;
    struct alignas(board_alignment) Line {
        std::byte bytes[board_alignment];
    };
    std::vector<Line> received_;
    bool is_first_ = true;  // of the micro-batches being added up
};

}  // namespace epochcast::runtime

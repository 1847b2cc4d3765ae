// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/step.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "job/optimiser.hpp"
#include "job/seed.hpp"

namespace epochcast::runtime {

namespace {

// Raises the alarm in the block that the other nodes will see.
void set_failure(NodeHead& head, const Error& error) {
    head.failed = 1;
    std::strncpy(head.error, error.message.c_str(), sizeof(head.error) - 1);
}

const NodeHead& head_of(std::span<const std::byte> block) {
    return *reinterpret_cast<const NodeHead*>(block.data());
}

}  // namespace

StepRunner::StepRunner(
    const TrainJob& job, const EpochCut& cut, Collective& collective, WorkerPool& pool, Board board)
    : job_(job),
      cut_(cut),
      collective_(collective),
      pool_(pool),
      board_(board),
      velocity_(board.parameters().size()),
      gradient_(board.parameters().size()) {}

Result<void> StepRunner::compute(std::span<const std::uint32_t> order,
                                 std::uint64_t epoch,
                                 std::uint64_t step,
                                 const std::vector<MicroBatch>& cut,
                                 MicroBatchRange own) {
    const float scale = 1.0F / static_cast<float>(cut_.step_samples(step));
    std::vector<PoolTask> tasks;
    for (std::uint32_t i = own.begin; i < own.end; ++i) {
        Task task;
        task.kind = TaskKind::train;
        task.micro_batch = i;
        task.epoch = epoch;
        task.step = step;
        task.seed = micro_batch_seed(job_.seed, epoch, step, i);
        task.result = i - own.begin;
        task.scale = scale;
        tasks.push_back({task, order.subspan(cut[i].begin, cut[i].samples)});
    }
    return pool_.run(tasks);
}

std::vector<std::span<const std::byte>> StepRunner::exchange(std::uint32_t micro_batches) {
    const std::uint32_t nodes = collective_.size();
    std::vector<std::size_t> bytes;
    std::size_t total = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const auto results = share_of_node(micro_batches, node, nodes).count();
        bytes.push_back(board_.node_block(results).size());
        total += bytes.back();
    }
    const auto mine = share_of_node(micro_batches, collective_.rank(), nodes).count();
    if (nodes == 1) {
        return {board_.node_block(mine)};
    }
    received_.resize(total / board_alignment);
    const auto received = std::as_writable_bytes(std::span(received_));
    collective_.gather_all(board_.node_block(mine), received, bytes, board_alignment);
    std::vector<std::span<const std::byte>> blocks;
    std::size_t at = 0;
    for (const std::size_t size : bytes) {
        blocks.push_back(received.subspan(at, size));
        at += size;
    }
    return blocks;
}

void StepRunner::aggregate(std::span<const std::byte> results,
                           std::size_t count,
                           StepOutcome& outcome) {
    const auto& plan = board_.plan();
    const std::uint64_t floats = plan.size.parameter_floats;
    for (std::size_t i = 0; i < count; ++i) {
        const auto all =
            floats_in(results, plan.result_bytes, i, floats + plan.size.statistic_floats);
        if (is_first_) {
            std::ranges::copy(all.first(floats), gradient_.begin());
            is_first_ = false;
        } else {
            add_to(gradient_, all.first(floats));
        }
        average_in(board_.statistics(), all.subspan(floats));
        outcome.loss_sum += result_in(results, plan.result_bytes, i).loss_sum;
    }
}

Result<StepOutcome> StepRunner::run(std::span<const std::uint32_t> order,
                                    std::uint64_t epoch,
                                    std::uint64_t step,
                                    int stop_signal) {
    const auto cut = cut_.micro_batches(step);
    const auto micro_batches = static_cast<std::uint32_t>(cut.size());
    const std::uint32_t nodes = collective_.size();
    const auto own = share_of_node(micro_batches, collective_.rank(), nodes);

    NodeHead& head = board_.node_head();
    head = NodeHead{};
    head.stop_signal = static_cast<std::uint32_t>(stop_signal);
    if (auto computed = compute(order, epoch, step, cut, own); !computed.ok()) {
        set_failure(head, computed.error());
    }
    const auto blocks = exchange(micro_batches);

    StepOutcome outcome;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (head_of(blocks[node]).failed != 0) {
            return Error{ErrorKind::environment,
                         (nodes > 1 ? "node " + std::to_string(node) + ": " : std::string()) +
                             head_of(blocks[node]).error};
        }
        if (outcome.stop_signal == 0) {
            outcome.stop_signal = static_cast<int>(head_of(blocks[node]).stop_signal);
        }
    }
    is_first_ = true;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const auto count = share_of_node(micro_batches, node, nodes).count();
        aggregate(blocks[node].subspan(sizeof(NodeHead)), count, outcome);
    }
    descend(board_.parameters(),
            velocity_,
            gradient_,
            static_cast<float>(job_.learning_rate),
            static_cast<float>(job_.momentum));
    for (std::uint32_t i = 0; i < own.count(); ++i) {
        outcome.own_samples += board_.result(i).samples;
        outcome.own_flop += board_.result(i).flop;
    }
    return outcome;
}

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "worker/worker_loop.hpp"

#include <cstring>
#include <exception>

#include "store/futex.hpp"

namespace epochcast::runtime {

namespace {

Outcome compute(FlatModel& model, const ModelSpec& spec, const Board& board, std::uint32_t worker) {
    const Task& task = board.slot(worker).task;
    const auto indices = board.indices(worker).first(task.samples);
    if (task.kind == TaskKind::evaluate) {
        const auto samples =
            gather_samples(spec, board.test_images(), board.test_labels(), indices);
        return model.evaluate(
            board.parameters(), board.statistics(), samples.images, samples.labels);
    }
    const auto samples = gather_samples(spec, board.train_images(), board.train_labels(), indices);
    return model.train(board.parameters(),
                       samples.images,
                       samples.labels,
                       task.seed,
                       task.scale,
                       board.gradients(task.result),
                       board.batch_statistics(task.result));
}

void leave_result(const Task& task, const Outcome& outcome, ResultHead& result) {
    result.loss_sum = outcome.loss_sum;
    result.flop = outcome.flop;
    result.samples = task.samples;
    result.correct = outcome.correct;
    result.epoch = task.epoch;
    result.step = task.step;
    result.micro_batch = task.micro_batch;
    result.attempt = task.attempt;
}

void serve_task(FlatModel& model, const ModelSpec& spec, const Board& board, std::uint32_t worker) {
    Slot& slot = board.slot(worker);
    try {
        const Outcome outcome = compute(model, spec, board, worker);
        leave_result(slot.task, outcome, board.result(slot.task.result));
        slot.status = TaskStatus::ok;
    } catch (const std::exception& failure) {
        slot.status = TaskStatus::failed;
        std::strncpy(slot.error, failure.what(), sizeof(slot.error) - 1);
    }
}

}  // namespace

void serve_slot(FlatModel& model, const ModelSpec& spec, const Board& board, std::uint32_t worker) {
    Slot& slot = board.slot(worker);
    std::uint32_t seen = slot.done.load(std::memory_order_acquire);
    for (;;) {
        const std::uint32_t request = slot.request.load(std::memory_order_acquire);
        if (request == seen) {
            wait_while_equal(slot.request, seen, -1);
            continue;
        }
        serve_task(model, spec, board, worker);
        seen = request;
        slot.done.store(seen, std::memory_order_release);
        raise(board.header().bell);
    }
}

}  // namespace epochcast::runtime

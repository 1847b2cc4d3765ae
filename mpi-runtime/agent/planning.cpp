// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/planning.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace epochcast::runtime {

namespace {

constexpr std::uint32_t evaluation_samples = 256;  // of one task; larger ones gain no speed

}  // namespace

BoardSize board_size(const Preparation& ready,
                     const ModelSize& model,
                     std::uint32_t node,
                     std::uint32_t nodes) {
    const auto own = share_of_node(ready.cut.micro_batches_per_step(), node, nodes);
    BoardSize size;
    size.workers = ready.workers;
    size.index_capacity = std::max(ready.job.micro_batch, evaluation_samples);
    // At least one per worker, so that an evaluation keeps all of them busy.
    size.results = std::max(own.count(), ready.workers);
    size.parameter_floats = model.parameter_floats;
    size.statistic_floats = model.statistic_floats;
    size.image_bytes = ready.model.image_bytes();
    size.train_samples = ready.data.train.labels.size();
    size.test_samples = ready.data.test.labels.size();
    return size;
}

void fill_plan(Plan& plan,
               const Preparation& ready,
               const ModelSize& model,
               const BoardPlan& board) {
    plan.job = ready.job;
    plan.cut = ready.cut;
    plan.dataset = ready.data.name;
    plan.height = ready.data.height;
    plan.width = ready.data.width;
    plan.channels = ready.data.channels;
    plan.classes = ready.data.classes;
    plan.test_samples = ready.data.test.labels.size();
    plan.parameters = model.parameters;
    plan.shared_bytes_per_node = board.total_bytes;
    plan.log_dir = ready.log_dir;
}

Result<void> check_memory(std::uint64_t needed_bytes, std::uint64_t available_bytes) {
    if (needed_bytes <= available_bytes) {
        return {};
    }
    return Error{ErrorKind::environment,
                 "this job needs " + human_bytes(static_cast<double>(needed_bytes)) +
                     " of shared memory, " + human_bytes(static_cast<double>(available_bytes)) +
                     " are free: use a smaller batch or a larger micro_batch"};
}

}  // namespace epochcast::runtime

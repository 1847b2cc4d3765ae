// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/log_header.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "core/version.hpp"

namespace epochcast::runtime {

LogHeader log_header(const Plan& plan,
                     const JobIdentity& identity,
                     std::uint32_t uid,
                     std::uint64_t start_ns) {
    const TrainJob& job = plan.job;
    LogHeader header;
    header.cluster = identity.cluster;
    header.job_id = identity.job_id;
    header.model_job = file_name_part(job.task);
    header.uid = uid;
    header.task = {user_scope(uid), job.task};
    header.attributes = {.framework = "epochcast-train",
                         .model = job.model,
                         .dataset = plan.dataset,
                         .precision = "fp32",
                         .samples_per_epoch = plan.cut.samples,
                         .batch_per_device = std::nullopt,
                         .total_batch = job.batch};
    header.declared_epochs = job.epochs;
    header.start_ns = start_ns;
    header.nodes = plan.nodes;
    header.writer = std::string("epochcast-train ") + package_version;
    std::array<char, 128> note{};
    std::snprintf(note.data(),
                  note.size(),
                  "learning_rate=%g seed=%" PRIu64 " momentum=%g micro_batch=%u",
                  job.learning_rate,
                  job.seed,
                  job.momentum,
                  job.micro_batch);
    header.note = note.data();
    return header;
}

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/pollux_trace.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace epochcast::simulate {

namespace {

std::vector<std::uint32_t> packed(std::uint32_t replicas, std::uint32_t per_node) {
    std::vector<std::uint32_t> placement(replicas / per_node, per_node);
    if (replicas % per_node > 0) placement.push_back(replicas % per_node);
    return placement;
}

// Seconds of a whole run.
double run_s(const PolluxJob& job, const PolluxProfile& profile, const PolluxCluster& cluster) {
    const BatchCut cut =
        cut_batch(profile, job.batch, job.replicas, job.batch > profile.smallest_batch());
    const double batch = static_cast<double>(job.replicas) * static_cast<double>(cut.local_batch) *
                         static_cast<double>(cut.accumulations + 1);
    const double step_s =
        whole_step_s(profile, packed(job.replicas, cluster.devices_per_node), cut);
    double sum_s = 0;
    for (std::size_t epoch = 0; epoch < profile.epochs(); ++epoch) {
        const double progress = profile.progress(epoch + 1) - profile.progress(epoch);
        sum_s += progress / profile.gain(batch, epoch) * step_s;
    }
    return sum_s;
}

Error bad_job(const PolluxJob& job, const std::string& what) {
    return {ErrorKind::bad_input, "workload job " + epochcast::quoted(job.name) + " " + what};
}

}  // namespace

Result<Trace> pollux_trace(const PolluxSetting& setting, double price_per_device_hour) {
    const std::uint32_t devices = setting.cluster.nodes * setting.cluster.devices_per_node;
    Trace trace;
    trace.classes.push_back({"t4", devices, price_per_device_hour});
    for (const PolluxJob& job : setting.workload) {
        const auto profile = setting.profiles.find(job.application);
        if (profile == setting.profiles.end()) {
            return bad_job(job,
                           "is of the application " + epochcast::quoted(job.application) +
                               ", which has no profile");
        }
        if (job.replicas > devices) {
            return bad_job(job,
                           "asks for " + std::to_string(job.replicas) + " devices of " +
                               std::to_string(devices));
        }
        const double seconds = run_s(job, profile->second, setting.cluster);
        if (!std::isfinite(seconds) || seconds <= 0) return bad_job(job, "makes no progress");
        TraceJob traced;
        traced.id = job.name;
        traced.task = job.application;
        traced.batch = std::max<std::uint64_t>(1, job.batch / job.replicas);
        traced.devices = job.replicas;
        traced.arrival_s = job.submit_s;
        traced.steps = static_cast<double>(profile->second.epochs());
        traced.steps_per_s = {traced.steps / seconds};
        traced.epoch_steps = 1;
        trace.jobs.push_back(std::move(traced));
    }
    return trace;
}

}  // namespace epochcast::simulate

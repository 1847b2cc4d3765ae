// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "simulate/readers/sacct.hpp"

namespace epochcast::simulate {

namespace {

std::uint32_t devices_of(const SacctJob& job) { return job.gpus > 0 ? job.gpus : job.cpus; }

std::string class_of(const SacctJob& job) {
    if (job.gpus == 0) return job.partition.empty() ? "cpu" : job.partition;
    if (!job.gpu_type.empty()) return job.gpu_type;
    return job.partition.empty() ? "gpu" : job.partition + "/gpu";
}

std::string task_of(const SacctJob& job) { return job.user + "/" + job.name; }

// Devices of each class that were busy at once, at most.
std::map<std::string, std::uint32_t> busiest(const std::vector<SacctJob>& jobs) {
    // Ends come before starts at the same second: their change is negative.
    std::map<std::string, std::vector<std::pair<double, std::int64_t>>> changes;
    for (const SacctJob& job : jobs) {
        const std::int64_t devices = devices_of(job);
        changes[class_of(job)].push_back({job.start_s, devices});
        changes[class_of(job)].push_back({job.start_s + job.elapsed_s, -devices});
    }
    std::map<std::string, std::uint32_t> most;
    for (auto& [name, of_class] : changes) {
        std::ranges::sort(of_class);
        std::int64_t busy = 0;
        std::int64_t peak = 0;
        for (const auto& [time_s, change] : of_class) peak = std::max(peak, busy += change);
        constexpr std::int64_t limit = 0xFFFFFFFF;
        most[name] = static_cast<std::uint32_t>(std::min(peak, limit));
    }
    return most;
}

using Setting = std::tuple<std::string, std::uint32_t, std::string>;  // task, devices, class

std::map<Setting, double> median_elapsed_s(const std::vector<SacctJob>& jobs) {
    std::map<Setting, std::vector<double>> times;
    for (const SacctJob& job : jobs) {
        if (job.state != "COMPLETED") continue;
        times[{task_of(job), devices_of(job), class_of(job)}].push_back(job.elapsed_s);
    }
    std::map<Setting, double> medians;
    for (auto& [setting, of_setting] : times) {
        const auto middle = of_setting.begin() + static_cast<std::ptrdiff_t>(of_setting.size() / 2);
        std::ranges::nth_element(of_setting, middle);
        medians[setting] = *middle;
    }
    return medians;
}

double rate_on(const SacctJob& job,
               const std::string& class_name,
               const std::map<Setting, double>& medians) {
    if (class_name == class_of(job)) return 1;
    const auto here = medians.find({task_of(job), devices_of(job), class_of(job)});
    const auto there = medians.find({task_of(job), devices_of(job), class_name});
    if (here == medians.end() || there == medians.end()) return 0;
    return here->second / there->second;
}

}  // namespace

Trace sacct_trace(const SacctRead& read) {
    Trace trace;
    for (const auto& [name, devices] : busiest(read.jobs))
        trace.classes.push_back({name, devices, 0});
    const auto medians = median_elapsed_s(read.jobs);
    double first_s = read.jobs.empty() ? 0 : read.jobs.front().submit_s;
    for (const SacctJob& job : read.jobs) first_s = std::min(first_s, job.submit_s);
    for (const SacctJob& job : read.jobs) {
        TraceJob traced;
        traced.id = job.id;
        traced.task = task_of(job);
        traced.devices = devices_of(job);
        traced.arrival_s = job.submit_s - first_s;
        traced.steps = job.elapsed_s;
        traced.limit_s = job.limit_s;
        for (const DeviceClass& device_class : trace.classes) {
            traced.steps_per_s.push_back(rate_on(job, device_class.name, medians));
        }
        trace.jobs.push_back(std::move(traced));
    }
    std::ranges::stable_sort(trace.jobs, {}, &TraceJob::arrival_s);
    return trace;
}

}  // namespace epochcast::simulate

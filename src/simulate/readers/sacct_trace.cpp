// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/epoch_record.hpp"
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

// What is known of the speed of jobs on classes.
class Speeds {
  public:
    Speeds(const std::vector<SacctJob>& jobs, const Elsewhere& elsewhere)
        : elsewhere_(elsewhere), medians_(median_elapsed_s(jobs)) {
        for (const SacctJob& job : jobs) has_gpus_[class_of(job)] |= job.gpus > 0;
        for (const auto& [name, has_gpus] : has_gpus_) any_gpus_ |= has_gpus;
    }

    // Seconds on the class where the job ran per second on this one; 0: it does not fit.
    double rate(const SacctJob& job, const DeviceClass& on) const {
        if (on.devices < devices_of(job)) return 0;
        if (on.name == class_of(job)) return 1;
        const auto here = medians_.find({task_of(job), devices_of(job), class_of(job)});
        const auto there = medians_.find({task_of(job), devices_of(job), on.name});
        if (here != medians_.end() && there != medians_.end()) return here->second / there->second;
        if (!elsewhere_.is_allowed || has_gpus(on.name) != (job.gpus > 0)) return 0;
        return speed(on.name) / speed(class_of(job));
    }

  private:
    bool has_gpus(const std::string& name) const {
        const auto found = has_gpus_.find(name);
        return found == has_gpus_.end() ? any_gpus_ : found->second;
    }
    double speed(const std::string& name) const {
        const auto found = elsewhere_.speed.find(name);
        return found == elsewhere_.speed.end() ? 1 : found->second;
    }

    const Elsewhere& elsewhere_;
    std::map<Setting, double> medians_;
    std::map<std::string, bool> has_gpus_;  // by class
    bool any_gpus_ = false;
};

}  // namespace

std::vector<DeviceClass> sacct_classes(const SacctRead& read) {
    std::vector<DeviceClass> classes;
    for (const auto& [name, devices] : busiest(read.jobs)) classes.push_back({name, devices});
    return classes;
}

Trace sacct_trace(const SacctRead& read) { return sacct_trace(read, sacct_classes(read), {}); }

Trace sacct_trace(const SacctRead& read,
                  std::vector<DeviceClass> classes,
                  const Elsewhere& elsewhere) {
    Trace trace;
    trace.classes = std::move(classes);
    const Speeds speeds(read.jobs, elsewhere);
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
            traced.steps_per_s.push_back(speeds.rate(job, device_class));
        }
        const bool fits =
            std::ranges::any_of(traced.steps_per_s, [](double rate) { return rate > 0; });
        if (fits) trace.jobs.push_back(std::move(traced));
    }
    std::ranges::stable_sort(trace.jobs, {}, &TraceJob::arrival_s);
    return trace;
}

RunResult sacct_recorded(const SacctRead& read, const Trace& trace) {
    // An id can occur several times: its jobs are taken in the order of submission, as in the
    // trace.
    std::map<std::string, std::vector<const SacctJob*>> by_id;
    double first_s = std::numeric_limits<double>::infinity();
    for (const SacctJob& job : read.jobs) {
        by_id[job.id].push_back(&job);
        first_s = std::min(first_s, job.submit_s);
    }
    for (auto& [id, jobs] : by_id) {
        std::ranges::stable_sort(jobs, {}, &SacctJob::submit_s);
        std::ranges::reverse(jobs);
    }
    RunResult result;
    for (const TraceJob& traced : trace.jobs) {
        auto& jobs = by_id.at(traced.id);
        const SacctJob& job = *jobs.back();
        jobs.pop_back();
        const auto c = std::ranges::find(trace.classes, class_of(job), &DeviceClass::name);
        JobResult& outcome = result.jobs.emplace_back();
        outcome.start_s = job.start_s - first_s;
        outcome.finish_s = outcome.start_s + job.elapsed_s;
        outcome.busy_device_s = job.elapsed_s * traced.devices;
        outcome.last_class = static_cast<std::uint32_t>(c - trace.classes.begin());
        outcome.cost = c == trace.classes.end()
                           ? absent
                           : outcome.busy_device_s / 3600 * c->price_per_device_hour;
    }
    return result;
}

}  // namespace epochcast::simulate

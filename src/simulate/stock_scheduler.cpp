// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/stock_scheduler.hpp"

#include <algorithm>
#include <limits>

#include "simulate/idle_profile.hpp"
#include "simulate/metrics.hpp"

namespace epochcast::simulate {

namespace {

std::uint32_t fastest_class(const TraceJob& job) {
    const auto fastest = std::max_element(job.steps_per_s.begin(), job.steps_per_s.end());
    return static_cast<std::uint32_t>(fastest - job.steps_per_s.begin());
}

// Per class, what is idle from when on, by exact limits.
std::vector<IdleProfile> idle_profiles(const View& view) {
    std::vector<IdleProfile> profiles;
    for (const DeviceClass& device_class : view.trace.classes) {
        profiles.emplace_back(view.now_s, device_class.devices);
    }
    for (const std::uint32_t j : view.live) {
        const auto& run = view.jobs[j].run;
        if (!run) continue;
        const TraceJob& job = view.trace.jobs[j];
        const double left_s =
            (job.steps - view.jobs[j].done_steps) / job.steps_per_s[run->class_index];
        profiles[run->class_index].take(view.now_s, job.devices, left_s);
    }
    return profiles;
}

}  // namespace

std::vector<std::uint32_t> StockScheduler::queue(const View& view) const {
    std::vector<std::uint32_t> jobs;
    for (const std::uint32_t j : view.live) {
        if (!view.jobs[j].run) jobs.push_back(j);
    }
    if (options_.order == StockOptions::Order::shortest) {
        std::stable_sort(jobs.begin(), jobs.end(), [&](std::uint32_t a, std::uint32_t b) {
            return isolated_s(view.trace.jobs[a]) < isolated_s(view.trace.jobs[b]);
        });
    }
    return jobs;
}

std::vector<std::uint32_t> StockScheduler::classes_of(const TraceJob& job) const {
    if (options_.choice == StockOptions::Choice::fastest) return {fastest_class(job)};
    std::vector<std::uint32_t> classes;
    for (const std::uint32_t c : options_.preference) {
        if (job.steps_per_s[c] > 0) classes.push_back(c);
    }
    return classes;
}

Actions StockScheduler::decide(const View& view) {
    const std::vector<std::uint32_t> jobs = queue(view);
    if (options_.skip == StockOptions::Skip::harmless) return backfill(view, jobs);
    Actions actions;
    std::vector<std::uint32_t> idle(view.idle.begin(), view.idle.end());
    for (const std::uint32_t j : jobs) {
        const TraceJob& job = view.trace.jobs[j];
        bool has_started = false;
        for (const std::uint32_t c : classes_of(job)) {
            if (idle[c] < job.devices) continue;
            idle[c] -= job.devices;
            actions.starts.push_back({j, c, true});
            has_started = true;
            break;
        }
        if (!has_started && options_.skip == StockOptions::Skip::nothing) break;
    }
    return actions;
}

// Each job in turn is given the earliest start that it can have, on the first class that offers it;
// the devices are its own from then on, so that no later job delays it.
Actions StockScheduler::backfill(const View& view, const std::vector<std::uint32_t>& jobs) const {
    Actions actions;
    std::vector<IdleProfile> profiles = idle_profiles(view);
    for (const std::uint32_t j : jobs) {
        const TraceJob& job = view.trace.jobs[j];
        double earliest_s = std::numeric_limits<double>::infinity();
        std::uint32_t best = 0;
        for (const std::uint32_t c : classes_of(job)) {
            const double start_s =
                profiles[c].earliest(job.devices, job.steps / job.steps_per_s[c]);
            if (start_s >= earliest_s) continue;
            earliest_s = start_s;
            best = c;
        }
        if (earliest_s == std::numeric_limits<double>::infinity()) continue;
        profiles[best].take(earliest_s, job.devices, job.steps / job.steps_per_s[best]);
        if (earliest_s <= view.now_s) actions.starts.push_back({j, best, true});
    }
    return actions;
}

}  // namespace epochcast::simulate

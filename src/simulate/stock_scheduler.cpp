// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/stock_scheduler.hpp"

#include <algorithm>

#include "core/placement/class_timeline.hpp"
#include "simulate/metrics.hpp"

namespace epochcast::simulate {

namespace {

std::uint32_t fastest_class(const TraceJob& job) {
    const auto fastest = std::max_element(job.steps_per_s.begin(), job.steps_per_s.end());
    return static_cast<std::uint32_t>(fastest - job.steps_per_s.begin());
}

// Per class, sorted times at which its devices become free, by exact limits.
std::vector<std::vector<double>> free_times(const View& view) {
    std::vector<std::vector<double>> free_s;
    for (const std::uint32_t idle : view.idle) free_s.emplace_back(idle, view.now_s);
    for (const std::uint32_t j : view.live) {
        const auto& run = view.jobs[j].run;
        if (!run) continue;
        const TraceJob& job = view.trace.jobs[j];
        const double end_s = run->since_s + job.steps / job.steps_per_s[run->class_index];
        auto& times = free_s[run->class_index];
        times.insert(times.end(), job.devices, std::max(view.now_s, end_s));
    }
    for (auto& times : free_s) std::sort(times.begin(), times.end());
    return free_s;
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

// Each job in turn is given the earliest start that it can have, on the first class that offers
// it; the devices are taken from then on, so that no later job delays it.
Actions StockScheduler::backfill(const View& view, const std::vector<std::uint32_t>& jobs) const {
    Actions actions;
    auto free_s = free_times(view);
    for (const std::uint32_t j : jobs) {
        const TraceJob& job = view.trace.jobs[j];
        double earliest_s = std::numeric_limits<double>::infinity();
        std::uint32_t best = 0;
        for (const std::uint32_t c : classes_of(job)) {
            if (job.devices > free_s[c].size()) continue;
            if (free_s[c][job.devices - 1] >= earliest_s) continue;
            earliest_s = free_s[c][job.devices - 1];
            best = c;
        }
        if (earliest_s == std::numeric_limits<double>::infinity()) continue;
        reserve(free_s[best], job.devices, view.now_s, job.steps / job.steps_per_s[best]);
        if (earliest_s <= view.now_s) actions.starts.push_back({j, best, true});
    }
    return actions;
}

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/ablation_scheduler.hpp"

#include <algorithm>
#include <limits>

#include "core/placement/class_timeline.hpp"

namespace epochcast::simulate {

double AblationScheduler::run_s(const View& view, std::uint32_t j, std::uint32_t c) const {
    return forecaster_.step_s(j, c) * view.trace.jobs[j].steps;
}

double AblationScheduler::size(const View& view, std::uint32_t j) const {
    const TraceJob& job = view.trace.jobs[j];
    double least_s = std::numeric_limits<double>::infinity();
    for (std::uint32_t c = 0; c < view.trace.classes.size(); ++c) {
        if (job.steps_per_s[c] > 0) least_s = std::min(least_s, run_s(view, j, c));
    }
    return least_s * job.devices;
}

std::vector<std::uint32_t> AblationScheduler::queue(const View& view) const {
    std::vector<std::uint32_t> jobs;
    for (const std::uint32_t j : view.live) {
        if (!view.jobs[j].run) jobs.push_back(j);
    }
    if (options_.orders) {
        std::stable_sort(jobs.begin(), jobs.end(), [&](std::uint32_t a, std::uint32_t b) {
            return size(view, a) < size(view, b);
        });
    }
    return jobs;
}

std::vector<std::vector<double>> AblationScheduler::free_times(const View& view) const {
    std::vector<std::vector<double>> free_s;
    for (const std::uint32_t idle : view.idle) free_s.emplace_back(idle, view.now_s);
    for (const std::uint32_t j : view.live) {
        const auto& run = view.jobs[j].run;
        if (!run) continue;
        const TraceJob& job = view.trace.jobs[j];
        const double left = 1 - view.jobs[j].done_steps / job.steps;
        const double end_s = view.now_s + left * run_s(view, j, run->class_index);
        auto& times = free_s[run->class_index];
        times.insert(times.end(), job.devices, end_s);
    }
    for (auto& times : free_s) std::sort(times.begin(), times.end());
    return free_s;
}

void AblationScheduler::choose(const View& view,
                               std::uint32_t j,
                               std::vector<std::vector<double>>& free_s,
                               Actions& actions) const {
    const TraceJob& job = view.trace.jobs[j];
    double earliest_s = std::numeric_limits<double>::infinity();
    std::uint32_t best = 0;
    for (std::uint32_t c = 0; c < free_s.size(); ++c) {
        if (!(job.steps_per_s[c] > 0) || job.devices > free_s[c].size()) continue;
        const double end_s = free_s[c][job.devices - 1] + run_s(view, j, c);
        if (end_s >= earliest_s) continue;
        earliest_s = end_s;
        best = c;
    }
    if (earliest_s == std::numeric_limits<double>::infinity()) return;
    const double start_s = reserve(free_s[best], job.devices, view.now_s, run_s(view, j, best));
    if (start_s <= view.now_s) actions.starts.push_back({j, best, true});
}

void AblationScheduler::take_first(const View& view,
                                   std::uint32_t j,
                                   std::vector<std::vector<double>>& free_s,
                                   Actions& actions) const {
    const TraceJob& job = view.trace.jobs[j];
    for (const std::uint32_t c : options_.preference) {
        if (!(job.steps_per_s[c] > 0) || job.devices > free_s[c].size()) continue;
        if (free_s[c][job.devices - 1] > view.now_s) continue;
        reserve(free_s[c], job.devices, view.now_s, run_s(view, j, c));
        actions.starts.push_back({j, c, true});
        return;
    }
}

Actions AblationScheduler::decide(const View& view) {
    Actions actions;
    forecaster_.observe(view);
    auto free_s = free_times(view);
    for (const std::uint32_t j : queue(view)) {
        if (options_.chooses) {
            choose(view, j, free_s, actions);
        } else {
            take_first(view, j, free_s, actions);
        }
    }
    return actions;
}

}  // namespace epochcast::simulate

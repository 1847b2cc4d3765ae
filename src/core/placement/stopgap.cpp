// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/stopgap.hpp"

#include <algorithm>
#include <optional>

namespace epochcast {

namespace {

double work_s(const PlanOption& option) { return std::max(1.0, option.run_s - option.lead_s); }

// What the job gains, in seconds at its planned place.
double gain_s(const PlanOption& option,
              const PlanOption& planned,
              double time_s,
              const PlanSettings& settings) {
    const double restoring_s = std::max(0.0, settings.move_s - planned.lead_s);
    return (time_s - option.lead_s) * work_s(planned) / work_s(option) - restoring_s;
}

// The option with the largest gain above the threshold.
std::optional<std::uint32_t> best_gap(const Queue& queue,
                                      const PlannedRun& run,
                                      const PlanSettings& settings,
                                      const IdleUnits& idle) {
    const PlanJob& job = queue.jobs[run.job];
    std::optional<std::uint32_t> best;
    double most_s = settings.stopgap_gain_s;
    for (std::uint32_t o = 0; o < job.options.size(); ++o) {
        const PlanOption& option = job.options[o];
        const std::vector<double>& needs_s = idle[option.class_index];
        if (needs_s.size() < option.units) continue;
        // The units that are needed last.
        const double until_s = std::min(run.start_s, needs_s[needs_s.size() - option.units]);
        const double gains_s =
            gain_s(option, job.options[run.option], until_s - queue.now_s, settings);
        if (gains_s <= most_s) continue;
        most_s = gains_s;
        best = o;
    }
    return best;
}

}  // namespace

void fill_gaps(const Queue& queue, const PlanSettings& settings, IdleUnits idle, QueuePlan& plan) {
    for (const PlannedRun& run : plan.runs) {
        const PlanJob& job = queue.jobs[run.job];
        if (job.hold || run.start_s <= queue.now_s || job.release_s > queue.now_s) continue;
        const auto best = best_gap(queue, run, settings, idle);
        if (!best) continue;
        const PlanOption& option = job.options[*best];
        std::vector<double>& needs_s = idle[option.class_index];
        needs_s.resize(needs_s.size() - option.units);
        plan.stopgaps.push_back({run.job, *best, queue.now_s, queue.now_s + option.run_s});
    }
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a plan minimises: the sum over its jobs of a value in seconds, from the time T that the job
// spends from submission to its end.
//   T + l max(0, T - L typical) + r max(0, T - R isolated) + price of the units it takes

#include <algorithm>
#include <span>

#include "core/placement/class_timeline.hpp"
#include "core/placement/plan_problem.hpp"

namespace epochcast {

inline double job_value_s(const PlanProblem& problem,
                          const PlanSettings& settings,
                          const PlanEntry& entry,
                          double end_s) {
    const PlanProblem::Job& job = problem.jobs[entry.job];
    const double time_s = end_s - job.origin_s;
    const double late_s = time_s - settings.late_after * problem.typical_s;
    const double slow_s = time_s - settings.slow_after * job.isolated_s;
    const double over = std::max(0.0, slow_s) * (1 + std::max(0.0, slow_s) / (settings.slow_after * job.isolated_s));
    return time_s + settings.late_weight * std::max(0.0, late_s) +
           settings.slow_weight * over + problem.options[entry.option].price_s;
}

// Gives the job its units in the timeline of the option's class, and gives its end.
inline double place(const PlanProblem& problem,
                    const PlanEntry& entry,
                    std::span<double> free_s,
                    double& leave_s) {
    const PlanProblem::Job& job = problem.jobs[entry.job];
    const PlanProblem::Option& option = problem.options[entry.option];
    double run_s = option.run_s;
    leave_s = 0;
    if (job.held != PlanProblem::none) {
        const bool stays = entry.option == job.held && free_s[option.units - 1] <= job.release_s;
        if (!stays) {
            leave_s = job.leave_s;
            run_s += option.resume_s;
        }
    }
    return reserve(free_s, option.units, job.release_s, run_s) + run_s;
}

}  // namespace epochcast

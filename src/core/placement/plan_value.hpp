// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a plan minimises: the sum over its jobs of a value in seconds, from the time T that the job
// spends from submission to its end (facts of placement, section 5; q = 1, the term for slow jobs
// convex):
//   T + l max(0, T - L) + r x (1 + x / R) + price of the units it takes,   x = max(0, T - R)
// L = late_after x typical run time, R = slow_after x the job's own isolated time.
// l and r fade with the weight of cost in the job's policy. Starving jobs outweigh all of that.

#include <algorithm>
#include <span>

#include "core/placement/class_timeline.hpp"
#include "core/placement/plan_problem.hpp"

namespace epochcast {

// A second of a starving job counts as much as a second of so many others.
inline constexpr double starving_weight = 1e4;

// Gives the job its units in `free_s`, the timeline of the option's class, and returns its value.
inline double place(const PlanProblem& problem,
                    const PlanSettings& settings,
                    const PlanEntry& entry,
                    std::span<double> free_s,
                    double* end_s = nullptr) {
    const PlanProblem::Job& job = problem.jobs[entry.job];
    const PlanProblem::Option& option = problem.options[entry.option];
    double run_s = option.run_s;
    double value_s = option.price_s;
    if (job.held_option != PlanProblem::none) {
        const bool stays =
            entry.option == job.held_option && free_s[option.units - 1] <= job.release_s;
        // Coming back later costs restoring; the other options include it.
        if (!stays && entry.option == job.held_option) run_s += problem.move_s;
        if (!stays) value_s += job.loyalty_s;
    }
    const double ends_s = reserve(free_s, option.units, job.release_s, run_s) + run_s;
    if (end_s != nullptr) *end_s = ends_s;
    const double time_s = ends_s - job.origin_s;
    const double late_s = time_s - settings.late_after * problem.typical_s;
    if (late_s > 0) value_s += job.tail_weight * settings.late_weight * late_s;
    const double slow_after_s = settings.slow_after * job.isolated_s;
    const double slow_s = time_s - slow_after_s;
    if (slow_s > 0) {
        value_s += job.tail_weight * settings.slow_weight * slow_s * (1 + slow_s / slow_after_s);
    }
    return value_s + time_s * (job.is_starving ? starving_weight : 1);
}

}  // namespace epochcast

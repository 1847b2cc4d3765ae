// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/list_plan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "core/placement/class_timeline.hpp"

namespace epochcast {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double aged_size(const PlanProblem& problem, const PlanProblem::Job& job, double ageing) {
    if (job.is_firm) return -1;
    if (job.is_starving) return 0;
    double size = unbounded;
    for (std::uint32_t o = job.first_option; o < job.last_option; ++o) {
        size = std::min(size, problem.options[o].units * problem.options[o].run_s);
    }
    const double wait_s = std::max(0.0, problem.now_s - job.origin_s);
    return size / (1 + ageing * wait_s / std::max(1.0, job.isolated_s));
}

// The option that is done first when its price is counted as delay.
std::uint32_t best_option(const PlanProblem& problem,
                          const PlanProblem::Job& job,
                          const std::vector<std::vector<double>>& free_s) {
    if (job.is_firm && job.held_option != PlanProblem::none) return job.held_option;
    double least_s = unbounded;
    std::uint32_t best = job.first_option;
    for (std::uint32_t o = job.first_option; o < job.last_option; ++o) {
        const PlanProblem::Option& option = problem.options[o];
        const double start_s =
            std::max(job.release_s, free_s[option.class_index][option.units - 1]);
        const double value_s = start_s + option.run_s + option.price_s;
        if (value_s >= least_s) continue;
        least_s = value_s;
        best = o;
    }
    return best;
}

}  // namespace

PlanLists list_plan(const PlanProblem& problem, double ageing) {
    std::vector<std::tuple<double, double, std::uint32_t>> order;
    order.reserve(problem.jobs.size());
    for (std::uint32_t j = 0; j < problem.jobs.size(); ++j) {
        const PlanProblem::Job& job = problem.jobs[j];
        order.emplace_back(aged_size(problem, job, ageing), job.origin_s, j);
    }
    std::sort(order.begin(), order.end());
    PlanLists lists(problem.free_s.size());
    auto free_s = problem.free_s;
    for (const auto& [size, origin_s, j] : order) {
        const PlanProblem::Job& job = problem.jobs[j];
        const std::uint32_t best = best_option(problem, job, free_s);
        const PlanProblem::Option& option = problem.options[best];
        reserve(free_s[option.class_index], option.units, job.release_s, option.run_s);
        lists[option.class_index].push_back({j, best});
    }
    return lists;
}

}  // namespace epochcast

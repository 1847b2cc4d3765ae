// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/list_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/placement/class_timeline.hpp"

namespace epochcast {

namespace {

double aged_size(const PlanProblem& problem,
                 const PlanProblem::Job& job,
                 const PlanSettings& settings) {
    double size = std::numeric_limits<double>::infinity();
    for (std::uint32_t o = job.first_option; o < job.last_option; ++o) {
        size = std::min(size, problem.options[o].units * problem.options[o].run_s);
    }
    const double wait_s = std::max(0.0, problem.now_s - job.origin_s);
    if (settings.ageing_power == 0 || wait_s == 0) return size;
    const double patience_s = settings.ageing_s + settings.ageing_lengths * job.isolated_s;
    return size / std::pow(1 + wait_s / patience_s, settings.ageing_power);
}

}  // namespace

PlanLists list_plan(const PlanProblem& problem, const PlanSettings& settings) {
    std::vector<std::tuple<double, double, std::uint32_t>> order;
    order.reserve(problem.jobs.size());
    for (std::uint32_t j = 0; j < problem.jobs.size(); ++j) {
        const PlanProblem::Job& job = problem.jobs[j];
        const bool is_firm = job.leave_s > 0;
        order.emplace_back(is_firm ? 0 : aged_size(problem, job, settings), job.origin_s, j);
    }
    std::sort(order.begin(), order.end());
    PlanLists lists(problem.free_s.size());
    auto free_s = problem.free_s;
    for (const auto& [size, origin_s, j] : order) {
        const PlanProblem::Job& job = problem.jobs[j];
        double best_s = std::numeric_limits<double>::infinity();
        std::uint32_t best = job.first_option;
        for (std::uint32_t o = job.first_option; o < job.last_option; ++o) {
            const PlanProblem::Option& option = problem.options[o];
            const double start_s =
                std::max(job.release_s, free_s[option.class_index][option.units - 1]);
            const double value_s = start_s + option.run_s + option.price_s;
            if (value_s < best_s && (job.leave_s == 0 || o == job.held)) {
                best_s = value_s;
                best = o;
            }
        }
        const PlanProblem::Option& option = problem.options[best];
        reserve(free_s[option.class_index], option.units, job.release_s, option.run_s);
        lists[option.class_index].push_back({j, best});
    }
    return lists;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/queue_plan.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/placement/advice.hpp"
#include "core/placement/exploration.hpp"
#include "core/placement/list_plan.hpp"
#include "core/placement/plan_schedule.hpp"
#include "core/placement/plan_search.hpp"
#include "core/placement/rehearsal.hpp"
#include "core/placement/stopgap.hpp"

namespace epochcast {

namespace {

constexpr std::uint32_t few_new_jobs = 8;  // more than that are planned from nothing

// The plan of the last call without the jobs that left; `missing` gets those that it lacks.
PlanLists carry_on(const Queue& queue,
                   const PlanProblem& problem,
                   const PlanMemory& memory,
                   std::vector<std::uint32_t>& missing) {
    std::unordered_map<std::uint64_t, std::uint32_t> by_id;
    for (std::uint32_t j = 0; j < problem.jobs.size(); ++j) {
        by_id.emplace(queue.jobs[problem.jobs[j].source].id, j);
    }
    PlanLists lists(problem.free_s.size());
    std::vector<bool> is_planned(problem.jobs.size(), false);
    for (const PlanMemory::Entry& entry : memory.entries) {
        const auto found = by_id.find(entry.id);
        if (found == by_id.end()) continue;
        const PlanProblem::Job& job = problem.jobs[found->second];
        for (std::uint32_t o = job.first_option; o < job.last_option; ++o) {
            const PlanProblem::Option& option = problem.options[o];
            if (option.class_index != entry.class_index || option.units != entry.units) continue;
            lists[option.class_index].push_back({found->second, o});
            is_planned[found->second] = true;
            break;
        }
    }
    for (std::uint32_t j = 0; j < problem.jobs.size(); ++j) {
        if (!is_planned[j]) missing.push_back(j);
    }
    return lists;
}

PlanLists plan_lists(const Queue& queue,
                     const PlanProblem& problem,
                     const PlanSettings& settings,
                     const PlanMemory& memory,
                     Random& random) {
    PlanLists list = list_plan(problem, settings.ageing);
    if (settings.most_steps == 0) return list;
    const auto steps =
        std::clamp(settings.steps_per_job * static_cast<std::uint32_t>(problem.jobs.size()),
                   settings.least_steps,
                   settings.most_steps);
    PlanSearch from_list(problem, settings, std::move(list));
    std::vector<std::uint32_t> missing;
    PlanLists carried = carry_on(queue, problem, memory, missing);
    if (missing.size() <= few_new_jobs) {
        PlanSearch from_memory(problem, settings, std::move(carried));
        for (const std::uint32_t job : missing) from_memory.insert(job);
        if (from_memory.value_s() < from_list.value_s()) {
            from_memory.improve(steps, random);
            return from_memory.lists();
        }
    }
    from_list.improve(steps, random);
    return from_list.lists();
}

void remember(const Queue& queue,
              const PlanProblem& problem,
              const PlanLists& lists,
              PlanMemory& memory) {
    memory.entries.clear();
    for (const auto& list : lists) {
        for (const PlanEntry& entry : list) {
            const PlanProblem::Option& option = problem.options[entry.option];
            memory.entries.push_back(
                {queue.jobs[problem.jobs[entry.job].source].id, option.class_index, option.units});
        }
    }
}

// When the first job starts of those that wait although enough of their class stays idle.
double next_review_s(const Queue& queue, const QueuePlan& plan, const IdleUnits& idle) {
    double review_s = std::numeric_limits<double>::infinity();
    for (const PlannedRun& run : plan.runs) {
        const PlanJob& job = queue.jobs[run.job];
        const PlanOption& option = job.options[run.option];
        if (job.hold || run.start_s <= queue.now_s) continue;
        if (idle[option.class_index].size() >= option.units) {
            review_s = std::min(review_s, run.start_s);
        }
    }
    return review_s;
}

}  // namespace

QueuePlan plan_queue(Queue queue,
                     const PlanSettings& settings,
                     PlanMemory& memory,
                     std::uint64_t seed) {
    Random random(seed);
    QueuePlan plan;
    if (settings.moves == Moves::trial) plan.trials = explore(queue, settings);
    const PlanProblem problem(queue, settings);
    const PlanLists lists = plan_lists(queue, problem, settings, memory, random);
    remember(queue, problem, lists, memory);
    plan.runs = rehearse(queue, problem, lists, settings, random);
    IdleUnits idle = advise(queue, settings, plan);
    plan.review_s = next_review_s(queue, plan, idle);
    if (settings.moves == Moves::any) fill_gaps(queue, settings, std::move(idle), plan);
    return plan;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/rehearsal.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/placement/plan_schedule.hpp"
#include "core/placement/plan_search.hpp"

namespace epochcast {

namespace {

// What the futures made of one job with one option.
struct Tally {
    std::uint32_t futures = 0;
    bool starts = false;  // at once, in one of them
    double start_sum_s = 0;
    double run_s = 0;
};

// By job and option.
using Tallies = std::map<std::pair<std::uint32_t, std::uint32_t>, Tally>;

std::vector<PlannedRun> plan_future(const Queue& queue,
                                    PlanProblem problem,
                                    const PlanLists& lists,
                                    const PlanSettings& settings,
                                    Random& random) {
    const auto queued = static_cast<std::uint32_t>(problem.jobs.size());
    const auto samples = static_cast<std::uint32_t>(queue.arrivals.samples.size());
    const double end_s = queue.now_s + settings.future_length * problem.typical_s;
    double time_s = queue.now_s;
    for (std::uint32_t i = 0; i < settings.future_jobs; ++i) {
        time_s += random.exponential() / queue.arrivals.rate_per_s;
        if (time_s > end_s) break;
        problem.expect(queue.arrivals.samples[random.below(samples)], time_s);
    }
    PlanSearch search(problem, settings, lists);
    for (std::uint32_t j = queued; j < problem.jobs.size(); ++j) search.insert(j);
    const std::uint32_t steps =
        std::max(settings.least_future_steps, settings.future_steps_per_job * queued);
    search.improve(std::min(steps, settings.most_future_steps), random);
    return schedule(problem, settings, search.lists());
}

double release_of(const Queue& queue, std::uint32_t j) {
    const PlanJob& job = queue.jobs[j];
    return std::max(queue.now_s, job.hold ? job.hold->until_s : job.release_s);
}

PlannedRun agreed_run(const Queue& queue,
                      std::uint32_t job,
                      std::uint32_t option,
                      const Tally& tally) {
    const double start_s =
        tally.starts ? release_of(queue, job) : tally.start_sum_s / tally.futures;
    return {job, option, start_s, start_s + tally.run_s};
}

// What waiting for expected jobs gains is time; a job that counts money more is left as planned.
bool is_rehearsed(const PlanJob& job) { return job.cost_weight <= 0.5; }

// Whether any waiting job has an option with enough idle units; else there is nothing to decide.
bool can_start(const Queue& queue) {
    std::vector<std::uint32_t> idle;
    for (const PlanClass& plan_class : queue.classes) {
        idle.push_back(static_cast<std::uint32_t>(std::ranges::count_if(
            plan_class.free_at_s, [&](double time_s) { return time_s <= queue.now_s; })));
    }
    return std::ranges::any_of(queue.jobs, [&](const PlanJob& job) {
        return !job.hold && is_rehearsed(job) &&
               std::ranges::any_of(job.options, [&](const PlanOption& option) {
                   return idle[option.class_index] >= option.units;
               });
    });
}

}  // namespace

std::vector<PlannedRun> rehearse(const Queue& queue,
                                 const PlanProblem& problem,
                                 const PlanLists& lists,
                                 const PlanSettings& settings,
                                 Random& random) {
    std::vector<PlannedRun> runs = schedule(problem, settings, lists);
    const bool expects = queue.arrivals.rate_per_s > 0 && !queue.arrivals.samples.empty();
    if (settings.futures == 0 || !expects || !can_start(queue)) return runs;
    Tallies tallies;
    for (std::uint32_t future = 0; future < settings.futures; ++future) {
        for (const PlannedRun& run : plan_future(queue, problem, lists, settings, random)) {
            Tally& tally = tallies[{run.job, run.option}];
            ++tally.futures;
            tally.starts = tally.starts || run.start_s <= release_of(queue, run.job);
            tally.start_sum_s += run.start_s;
            tally.run_s = run.end_s - run.start_s;
        }
    }
    std::erase_if(runs, [&](const PlannedRun& run) { return is_rehearsed(queue.jobs[run.job]); });
    for (auto tally = tallies.begin(); tally != tallies.end();) {
        const std::uint32_t job = tally->first.first;
        auto best = tally;
        for (; tally != tallies.end() && tally->first.first == job; ++tally) {
            if (tally->second.futures > best->second.futures) best = tally;
        }
        if (!is_rehearsed(queue.jobs[job])) continue;
        runs.push_back(agreed_run(queue, job, best->first.second, best->second));
    }
    sort_by_start(runs);
    return runs;
}

}  // namespace epochcast

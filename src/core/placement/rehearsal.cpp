// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/rehearsal.hpp"

#include <algorithm>
#include <map>

#include "core/placement/plan_schedule.hpp"
#include "core/placement/plan_search.hpp"

namespace epochcast {

namespace {

// What the futures made of one job with one option.
struct Tally {
    std::uint32_t futures = 0;
    std::uint32_t starts = 0;  // of which it can start at once
    double start_sum_s = 0;
    double run_s = 0;
};

using Tallies = std::map<std::pair<std::uint32_t, std::uint32_t>, Tally>;

// The plan of one future, real jobs only.
std::vector<PlannedRun> plan_future(const Queue& queue,
                                    PlanProblem problem,
                                    const PlanLists& lists,
                                    const PlanSettings& settings,
                                    Random& random) {
    const auto real_jobs = static_cast<std::uint32_t>(problem.jobs.size());
    const auto samples = static_cast<std::uint32_t>(queue.arrivals.samples.size());
    double time_s = queue.now_s;
    while (problem.jobs.size() < real_jobs + settings.future_jobs) {
        time_s += random.exponential() / queue.arrivals.rate_per_s;
        if (time_s > queue.now_s + settings.future * problem.typical_s) break;
        problem.expect(queue.arrivals.samples[random.below(samples)], time_s);
    }
    PlanSearch search(problem, settings, lists);
    for (std::uint32_t j = real_jobs; j < problem.jobs.size(); ++j) search.insert(j);
    search.improve(settings.future_steps, random);
    return schedule(problem, search.lists());
}

double release_of(const Queue& queue, std::uint32_t job) {
    const std::optional<Hold>& hold = queue.jobs[job].hold;
    return hold ? std::max(queue.now_s, hold->until_s) : queue.now_s;
}

}  // namespace

std::vector<PlannedRun> rehearse(const Queue& queue,
                                 const PlanProblem& problem,
                                 const PlanLists& lists,
                                 const PlanSettings& settings,
                                 Random& random) {
    if (settings.futures == 0 || queue.arrivals.rate_per_s <= 0 ||
        queue.arrivals.samples.empty()) {
        return schedule(problem, lists);
    }
    Tallies tallies;
    for (std::uint32_t future = 0; future < settings.futures; ++future) {
        for (const PlannedRun& run : plan_future(queue, problem, lists, settings, random)) {
            Tally& tally = tallies[{run.job, run.option}];
            ++tally.futures;
            if (run.start_s <= release_of(queue, run.job)) ++tally.starts;
            tally.start_sum_s += run.start_s;
            tally.run_s = run.end_s - run.start_s;
        }
    }
    std::vector<PlannedRun> runs;
    for (auto tally = tallies.begin(); tally != tallies.end();) {
        const std::uint32_t job = tally->first.first;
        auto best = tally;
        for (; tally != tallies.end() && tally->first.first == job; ++tally) {
            if (tally->second.futures > best->second.futures) best = tally;
        }
        const double release_s = release_of(queue, job);
        double start_s = best->second.start_sum_s / best->second.futures;
        if (best->second.starts > settings.quorum * settings.futures) {
            start_s = release_s;
        } else {
            start_s = std::max(start_s, release_s + settings.least_wait_s);
        }
        runs.push_back({job, best->first.second, start_s, start_s + best->second.run_s});
    }
    std::stable_sort(runs.begin(), runs.end(), [](const PlannedRun& a, const PlannedRun& b) {
        return a.start_s < b.start_s;
    });
    return runs;
}

}  // namespace epochcast

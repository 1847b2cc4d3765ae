// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/plan_schedule.hpp"

#include <algorithm>

#include "core/placement/plan_value.hpp"

namespace epochcast {

std::vector<PlannedRun> schedule(const PlanProblem& problem,
                                 const PlanSettings& settings,
                                 const PlanLists& lists) {
    std::vector<PlannedRun> runs;
    runs.reserve(problem.jobs.size());
    for (std::size_t c = 0; c < lists.size(); ++c) {
        std::vector<double> free_s = problem.free_s[c];
        for (const PlanEntry& entry : lists[c]) {
            const PlanProblem::Job& job = problem.jobs[entry.job];
            const PlanProblem::Option& option = problem.options[entry.option];
            const double start_s = std::max(job.release_s, free_s[option.units - 1]);
            double end_s = 0;
            place(problem, settings, entry, free_s, &end_s);
            if (job.source == PlanProblem::none) continue;
            runs.push_back({job.source, option.source, start_s, end_s});
        }
    }
    sort_by_start(runs);
    return runs;
}

void sort_by_start(std::vector<PlannedRun>& runs) {
    std::stable_sort(runs.begin(), runs.end(), [](const PlannedRun& a, const PlannedRun& b) {
        return a.start_s < b.start_s;
    });
}

}  // namespace epochcast

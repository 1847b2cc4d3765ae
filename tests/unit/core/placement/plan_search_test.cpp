// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/plan_search.hpp"

#include <set>

#include <gtest/gtest.h>

#include "core/placement/plan_value.hpp"

namespace epochcast {
namespace {

// Jobs of 1 to 4 units on two classes of 4 and 6 units, some of which come later.
Queue queue_of(std::uint32_t jobs, Random& random) {
    Queue queue;
    queue.classes = {{std::vector<double>(4, 0), 3}, {std::vector<double>(6, 0), 1}};
    for (std::uint32_t j = 0; j < jobs; ++j) {
        PlanJob& job = queue.jobs.emplace_back();
        job.id = j;
        job.release_s = random.below(3) == 0 ? 9000 * random.uniform() : 0;
        job.isolated_s = 100 + 3000 * random.uniform();
        const std::uint32_t units = 1 + random.below(4);
        job.options = {{0, units, job.isolated_s, 0},
                       {1, units, job.isolated_s * (1 + 2 * random.uniform()), 0}};
    }
    return queue;
}

// The value of a plan played from its start.
double played_s(const PlanProblem& problem, const PlanSettings& settings, const PlanLists& lists) {
    double value_s = 0;
    for (std::size_t c = 0; c < lists.size(); ++c) {
        std::vector<double> free_s = problem.free_s[c];
        for (const PlanEntry& entry : lists[c]) value_s += place(problem, settings, entry, free_s);
    }
    return value_s;
}

TEST(PlanSearch, what_it_adds_up_while_it_searches_is_the_value_of_its_plan) {
    Random random(3);
    for (const std::uint32_t jobs : {1, 7, 30, 90}) {
        const Queue queue = queue_of(jobs, random);
        const PlanSettings settings;
        const PlanProblem problem(queue, settings);
        PlanSearch search(problem, settings, PlanLists(2));
        for (std::uint32_t j = 0; j < jobs; ++j) {
            search.insert(j);
            const double value_s = search.value_s();
            ASSERT_NEAR(value_s, played_s(problem, settings, search.lists()), 1e-9 * value_s);
        }
        const double before_s = search.value_s();
        search.improve(2000, random);
        const double after_s = search.value_s();
        EXPECT_LE(after_s, before_s * (1 + 1e-12));
        EXPECT_NEAR(after_s, played_s(problem, settings, search.lists()), 1e-9 * after_s);
        std::set<std::uint32_t> planned;
        for (const auto& list : search.lists()) {
            for (const PlanEntry& entry : list) planned.insert(entry.job);
        }
        EXPECT_EQ(planned.size(), jobs);
    }
}

TEST(PlanSearch, puts_a_job_where_the_plan_grows_least) {
    // One unit, busy with a short and a long job: a middle one goes between them.
    Queue queue;
    queue.classes = {{{0}, 1}};
    for (const double run_s : {100.0, 1000.0, 300.0}) {
        PlanJob& job = queue.jobs.emplace_back();
        job.isolated_s = run_s;
        job.options = {{0, 1, run_s, 0}};
    }
    const PlanSettings settings;
    const PlanProblem problem(queue, settings);
    PlanSearch search(problem, settings, {{{0, 0}, {1, 1}}});
    search.insert(2);
    ASSERT_EQ(search.lists()[0].size(), 3u);
    EXPECT_EQ(search.lists()[0][1].job, 2u);
}

}  // namespace
}  // namespace epochcast

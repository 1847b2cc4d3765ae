// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/queue_plan.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace epochcast {
namespace {

constexpr double hour_s = 3600;

PlanJob job_of(std::uint64_t id, std::vector<PlanOption> options) {
    PlanJob job;
    job.id = id;
    job.options = std::move(options);
    job.isolated_s = job.options.front().run_s;
    for (const PlanOption& option : job.options) {
        job.isolated_s = std::min(job.isolated_s, option.run_s);
    }
    return job;
}

// A fast class of one unit and a slow one of one unit, both idle.
Queue two_units() {
    Queue queue;
    queue.classes = {{{0}, 0}, {{0}, 0}};
    return queue;
}

QueuePlan plan(const Queue& queue, const PlanSettings& settings = {}) {
    PlanMemory memory;
    return plan_queue(queue, settings, memory, 1);
}

TEST(QueuePlan, the_job_that_gains_most_gets_the_fast_class) {
    Queue queue = two_units();
    queue.jobs.push_back(job_of(1, {{0, 1, hour_s, 0}, {1, 1, 1.2 * hour_s, 0}}));
    queue.jobs.push_back(job_of(2, {{0, 1, hour_s, 0}, {1, 1, 9 * hour_s, 0}}));
    const QueuePlan made = plan(queue);
    ASSERT_EQ(made.starts.size(), 2u);
    for (const PlannedRun& run : made.starts) EXPECT_EQ(run.option, run.job == 0 ? 1u : 0u);
}

TEST(QueuePlan, a_job_whose_policy_is_cost_takes_a_cheap_class_that_one_of_time_leaves) {
    Queue queue = two_units();
    queue.classes[0].price_per_unit_hour = 3;
    queue.classes[1].price_per_unit_hour = 1;
    queue.jobs.push_back(job_of(1, {{0, 1, hour_s, 0}, {1, 1, 2.5 * hour_s, 0}}));
    EXPECT_EQ(plan(queue).runs.at(0).option, 0u);
    queue.jobs[0].cost_weight = 1;
    EXPECT_EQ(plan(queue).runs.at(0).option, 0u);  // 1.5 h more are much for a sixth of the money
    queue.jobs[0].options[1].run_s = 1.8 * hour_s;
    EXPECT_EQ(plan(queue).runs.at(0).option, 1u);
    queue.jobs[0].cost_weight = 0;
    EXPECT_EQ(plan(queue).runs.at(0).option, 0u);
}

TEST(QueuePlan, an_uncertain_forecast_draws_a_first_run_and_repels_a_second) {
    Queue queue = two_units();
    queue.jobs.push_back(job_of(1, {{0, 1, hour_s, 0}, {1, 1, 1.1 * hour_s, 0}}));
    queue.jobs[0].options[1].is_timed = false;
    const auto option = [&](const PlanSettings& settings) {
        return plan(queue, settings).runs.at(0).option;
    };
    EXPECT_EQ(option(PlanSettings::with_trials()), 0u);
    queue.jobs[0].options[1].spread = 0.3;
    EXPECT_EQ(option(PlanSettings::with_trials()), 1u);
    EXPECT_EQ(option(PlanSettings()), 0u);  // a start is for good: nothing is gained by trying
    std::swap(queue.jobs[0].options[0].run_s, queue.jobs[0].options[1].run_s);
    EXPECT_EQ(option(PlanSettings::with_trials()), 1u);
    queue.jobs[0].has_run = true;
    EXPECT_EQ(option(PlanSettings::with_trials()), 0u);
}

TEST(QueuePlan, a_job_waits_for_a_better_class_if_that_ends_sooner) {
    Queue queue = two_units();
    queue.classes[0].free_at_s = {hour_s};
    queue.jobs.push_back(job_of(1, {{0, 1, hour_s, 0}, {1, 1, 9 * hour_s, 0}}));
    const QueuePlan made = plan(queue);
    EXPECT_TRUE(made.starts.empty());
    ASSERT_EQ(made.runs.size(), 1u);
    EXPECT_EQ(made.runs[0].option, 0u);
    EXPECT_EQ(made.runs[0].start_s, hour_s);
    EXPECT_EQ(made.runs[0].end_s, 2 * hour_s);
}

TEST(QueuePlan, short_jobs_go_first_but_not_before_one_that_waited_long_enough) {
    Queue queue;
    queue.now_s = 100 * hour_s;
    queue.classes = {{{0}, 0}};
    queue.jobs.push_back(job_of(1, {{0, 1, 4 * hour_s, 0}}));
    queue.jobs.push_back(job_of(2, {{0, 1, hour_s, 0}}));
    for (PlanJob& job : queue.jobs) job.submitted_s = queue.now_s;
    EXPECT_EQ(plan(queue).starts.front().job, 1u);
    queue.jobs[0].submitted_s = 0;
    EXPECT_EQ(plan(queue).starts.front().job, 0u);
}

TEST(QueuePlan, what_fits_nowhere_is_left_out_and_the_rest_is_planned) {
    Queue queue = two_units();
    queue.jobs.push_back(job_of(1, {{0, 2, hour_s, 0}}));
    queue.jobs.push_back(PlanJob{});
    queue.jobs.push_back(job_of(3, {{0, 2, hour_s, 0}, {1, 1, hour_s, 0}}));
    const QueuePlan made = plan(queue);
    ASSERT_EQ(made.runs.size(), 1u);
    EXPECT_EQ(made.runs[0].job, 2u);
    EXPECT_EQ(made.runs[0].option, 1u);
    EXPECT_TRUE(plan({}).runs.empty());
}

TEST(QueuePlan, a_job_works_meanwhile_on_what_the_plan_leaves_idle) {
    Queue queue = two_units();
    queue.classes[0].free_at_s = {hour_s};
    queue.jobs.push_back(job_of(1, {{0, 1, hour_s, 0}, {1, 1, 9 * hour_s, 0}}));
    const QueuePlan made = plan(queue, PlanSettings::with_moves());
    // An hour there is worth 400 s of the planned place; 180 s of it go into restoring.
    EXPECT_TRUE(made.stopgaps.empty());
    queue.jobs[0].options[1].run_s = 4 * hour_s;
    const QueuePlan better = plan(queue, PlanSettings::with_moves());
    ASSERT_EQ(better.stopgaps.size(), 1u);
    EXPECT_EQ(better.stopgaps[0].option, 1u);
    EXPECT_TRUE(better.starts.empty());
    EXPECT_TRUE(plan(queue).stopgaps.empty());
}

TEST(QueuePlan, who_works_meanwhile_makes_room_when_its_place_or_another_job_comes) {
    Queue queue = two_units();
    queue.now_s = hour_s;
    PlanJob guest = job_of(1, {{0, 1, hour_s, 0}, {1, 1, 9 * hour_s, 0}});
    guest.hold = Hold{1, hour_s + 60, true, false};
    queue.classes = {{{hour_s + 30}, 0}, {{}, 0}};
    queue.jobs = {guest};
    EXPECT_EQ(plan(queue, PlanSettings::with_moves()).requeues, (std::vector<std::uint32_t>{0}));
    // Its place is taken for long; it stays, and for good if the plan says so.
    queue.classes[0].free_at_s = {90 * hour_s};
    EXPECT_EQ(plan(queue, PlanSettings::with_moves()).confirms, (std::vector<std::uint32_t>{0}));
    // A short job that fits nowhere else takes its unit.
    queue.classes[0].free_at_s = {9 * hour_s};
    queue.jobs.push_back(job_of(2, {{1, 1, 60, 0}}));
    EXPECT_EQ(plan(queue, PlanSettings::with_moves()).requeues, (std::vector<std::uint32_t>{0}));
}

TEST(QueuePlan, a_firm_run_that_cannot_stop_is_left_where_it_is) {
    Queue queue = two_units();
    queue.jobs.push_back(job_of(1, {{0, 1, hour_s, 0}, {1, 1, 90 * hour_s, 0}}));
    queue.jobs[0].hold = Hold{1, 90 * hour_s, false, true};
    queue.classes = {{{0}, 0}, {{}, 0}};
    const QueuePlan made = plan(queue);
    EXPECT_TRUE(made.runs.empty());
    EXPECT_TRUE(made.requeues.empty());
    queue.jobs[0].hold = Hold{1, 60, true, true};
    EXPECT_EQ(plan(queue, PlanSettings::with_moves()).requeues, (std::vector<std::uint32_t>{0}));
}

TEST(QueuePlan, the_smallest_job_of_an_unknown_task_tries_each_class_and_the_others_wait) {
    Queue queue = two_units();
    PlanSettings settings;
    settings.moves = Moves::trial;
    for (std::uint64_t id = 0; id < 3; ++id) {
        PlanJob job =
            job_of(id, {{0, 1, hour_s, 0, false, false}, {1, 1, hour_s, 0, false, false}});
        job.size = 10 - static_cast<double>(id);
        queue.jobs.push_back(job);
    }
    const QueuePlan made = plan(queue, settings);
    ASSERT_EQ(made.trials.size(), 2u);
    EXPECT_EQ(made.trials[0].job, 2u);
    EXPECT_EQ(made.trials[1].job, 1u);
    EXPECT_NE(made.trials[0].option, made.trials[1].option);
    EXPECT_TRUE(made.starts.empty());
    EXPECT_TRUE(made.requeues.empty());
}

// A queue of random jobs on a cluster of random state.
Queue random_queue(Random& random) {
    Queue queue;
    queue.now_s = 1e6;
    for (std::uint32_t c = 0; c < 3; ++c) {
        PlanClass plan_class;
        plan_class.price_per_unit_hour = 1 + c;
        for (std::uint32_t u = 0; u < 1 + random.below(6); ++u) {
            plan_class.free_at_s.push_back(queue.now_s + 3000.0 * (random.below(4) - 1.0));
        }
        queue.classes.push_back(plan_class);
    }
    for (std::uint64_t id = 0; id < random.below(30); ++id) {
        std::vector<PlanOption> options;
        for (std::uint32_t c = 0; c < 3; ++c) {
            if (random.below(4) == 0) continue;
            options.push_back({c, 1 + random.below(3), 60 + 9000 * random.uniform(), 0});
        }
        if (options.empty()) options.push_back({0, 1, 60, 0});
        queue.jobs.push_back(job_of(id, options));
        queue.jobs.back().submitted_s = queue.now_s - random.below(20000);
    }
    queue.arrivals.rate_per_s = 1e-3;
    queue.arrivals.samples = queue.jobs;
    return queue;
}

TEST(QueuePlan, never_gives_more_units_than_are_idle_nor_a_job_two_places) {
    Random random(11);
    for (int round = 0; round < 300; ++round) {
        const Queue queue = random_queue(random);
        const bool moves = random.below(2) == 0;
        const QueuePlan made = plan(queue, moves ? PlanSettings::with_moves() : PlanSettings());
        std::vector<std::uint32_t> used(3, 0);
        std::vector<int> places(queue.jobs.size(), 0);
        for (const auto* runs : {&made.starts, &made.trials, &made.stopgaps}) {
            for (const PlannedRun& run : *runs) {
                const PlanOption& option = queue.jobs[run.job].options[run.option];
                used[option.class_index] += option.units;
                ++places[run.job];
            }
        }
        for (std::size_t c = 0; c < 3; ++c) {
            const auto idle = std::ranges::count_if(queue.classes[c].free_at_s,
                                                    [&](double t) { return t <= queue.now_s; });
            ASSERT_LE(used[c], static_cast<std::uint32_t>(idle));
        }
        ASSERT_TRUE(std::ranges::all_of(places, [](int n) { return n <= 1; }));
        std::vector<int> planned(queue.jobs.size(), 0);
        for (const PlannedRun& run : made.runs) ++planned[run.job];
        ASSERT_TRUE(std::ranges::all_of(planned, [](int n) { return n <= 1; }));
    }
}

TEST(QueuePlan, equal_input_and_seed_give_equal_bits) {
    Random random(13);
    for (int round = 0; round < 20; ++round) {
        const Queue queue = random_queue(random);
        const QueuePlan a = plan(queue);
        const QueuePlan b = plan(queue);
        ASSERT_EQ(a.runs.size(), b.runs.size());
        for (std::size_t i = 0; i < a.runs.size(); ++i) {
            ASSERT_EQ(a.runs[i].job, b.runs[i].job);
            ASSERT_EQ(a.runs[i].option, b.runs[i].option);
            ASSERT_EQ(a.runs[i].start_s, b.runs[i].start_s);
            ASSERT_EQ(a.runs[i].end_s, b.runs[i].end_s);
        }
    }
}

TEST(QueuePlan, the_search_is_never_worse_than_the_list_and_keeps_every_job) {
    Random random(17);
    for (int round = 0; round < 50; ++round) {
        Queue queue = random_queue(random);
        queue.arrivals = {};
        for (PlanJob& job : queue.jobs) job.submitted_s = queue.now_s;
        PlanSettings list;
        list.most_steps = 0;
        PlanSettings plain;
        for (PlanSettings* settings : {&list, &plain}) {
            settings->shadow_price = 0;
            settings->late_weight = 0;
            settings->slow_weight = 0;
        }
        const auto sum_s = [&](const QueuePlan& made) {
            double sum = 0;
            for (const PlannedRun& run : made.runs) sum += run.end_s - queue.now_s;
            return sum;
        };
        const QueuePlan by_list = plan(queue, list);
        const QueuePlan by_search = plan(queue, plain);
        ASSERT_EQ(by_list.runs.size(), by_search.runs.size());
        ASSERT_LE(sum_s(by_search), sum_s(by_list) + 1e-3);
    }
}

}  // namespace
}  // namespace epochcast

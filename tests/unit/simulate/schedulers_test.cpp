// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "simulate/ablation_scheduler.hpp"
#include "simulate/epochs.hpp"
#include "simulate/learning_forecaster.hpp"
#include "simulate/metrics.hpp"
#include "simulate/own_scheduler.hpp"
#include "simulate/stock_scheduler.hpp"

namespace epochcast::simulate {
namespace {

// Three classes, the first the fastest, and jobs of 1, 2 or 4 devices that do not fit everywhere.
Trace random_trace(std::uint64_t seed, std::size_t jobs) {
    Random random(seed);
    Trace trace{{{"v", 4, 3, 15e12}, {"p", 6, 2, 10e12}, {"k", 8, 0.5, 4e12}}, {}};
    double arrival_s = 0;
    for (std::size_t j = 0; j < jobs; ++j) {
        TraceJob job;
        job.id = std::to_string(j);
        job.task = "task" + std::to_string(random.below(4));
        job.batch = 16u << random.below(3);
        job.devices = 1u << random.below(3);
        job.arrival_s = arrival_s;
        job.steps = 1000 + 20000 * random.uniform();
        job.steps_per_s = {10, 3 + 5 * random.uniform(), 1 + random.uniform()};
        if (random.below(5) == 0) job.steps_per_s[2] = 0;
        if (random.below(9) == 0) job.steps_per_s[0] = 0;
        trace.jobs.push_back(job);
        if (random.below(3) > 0) arrival_s += 200 * random.exponential();
    }
    set_epochs(trace, 0);
    return trace;
}

// Checks while it decides that no device is given twice and nothing runs where it does not fit,
// which the engine would refuse, and that the idle devices are what is left of the classes.
class Watched : public Scheduler {
  public:
    explicit Watched(Scheduler& inner) : inner_(inner) {}
    Actions decide(const View& view) override {
        std::vector<std::uint32_t> busy(view.trace.classes.size(), 0);
        for (std::uint32_t j = 0; j < view.jobs.size(); ++j) {
            const auto& run = view.jobs[j].run;
            if (!run) continue;
            busy[run->class_index] += view.trace.jobs[j].devices;
            EXPECT_GT(view.trace.jobs[j].steps_per_s[run->class_index], 0);
        }
        for (std::size_t c = 0; c < busy.size(); ++c) {
            EXPECT_EQ(busy[c] + view.idle[c], view.trace.classes[c].devices);
        }
        return inner_.decide(view);
    }

  private:
    Scheduler& inner_;
};

RunResult run(const Trace& trace, Scheduler& scheduler) {
    Watched watched(scheduler);
    auto result = run_trace(trace, watched, {});
    EXPECT_TRUE(result) << result.error().message;
    return result ? std::move(result).value() : RunResult{};
}

TEST(OwnScheduler, every_job_ends_under_every_setting) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Trace trace = random_trace(seed, 60);
        for (const Moves moves : {Moves::none, Moves::trial, Moves::any}) {
            for (const bool learns : {false, true}) {
                OwnOptions own;
                if (moves == Moves::any) own.plan = PlanSettings::with_moves();
                if (moves == Moves::trial) own.plan = PlanSettings::with_trials();
                own.plan.least_steps = own.plan.most_steps = own.plan.most_future_steps = 50;
                NoisyForecaster noisy(trace, 0.2, seed);
                LearningForecaster learning(trace, 0.03, seed);
                Forecaster& forecaster = learns ? static_cast<Forecaster&>(learning) : noisy;
                OwnScheduler scheduler(forecaster, own);
                const RunResult result = run(trace, scheduler);
                ASSERT_EQ(result.jobs.size(), trace.jobs.size());
                for (std::size_t j = 0; j < trace.jobs.size(); ++j) {
                    const JobResult& job = result.jobs[j];
                    ASSERT_GE(job.start_s, trace.jobs[j].arrival_s);
                    ASSERT_GE(job.finish_s - job.start_s, isolated_s(trace.jobs[j]) * (1 - 1e-9));
                    const std::uint32_t most = moves == Moves::none    ? 0
                                               : moves == Moves::trial ? 1
                                                                       : 1000;
                    ASSERT_LE(job.moves, most);
                }
            }
        }
    }
}

TEST(OwnScheduler, equal_seeds_give_equal_bits) {
    const Trace trace = random_trace(9, 50);
    std::vector<double> ends_s;
    for (int again = 0; again < 2; ++again) {
        NoisyForecaster forecaster(trace, 0.1, 3);
        OwnScheduler scheduler(forecaster, {});
        for (const JobResult& job : run(trace, scheduler).jobs) ends_s.push_back(job.finish_s);
    }
    for (std::size_t j = 0; j < 50; ++j) EXPECT_EQ(ends_s[j], ends_s[50 + j]);
}

TEST(OwnScheduler, a_long_job_is_not_starved_by_a_stream_of_short_ones) {
    Trace trace{{{"a", 1, 1}}, {}};
    const auto add = [&](double arrival_s, double steps) {
        TraceJob job;
        job.id = std::to_string(trace.jobs.size());
        job.arrival_s = arrival_s;
        job.steps = steps;
        job.steps_per_s = {1};
        trace.jobs.push_back(job);
    };
    // A short job of 100 s comes every 99 s: without ageing the long one would come last.
    add(0, 100);
    add(1, 1000);
    for (int i = 1; i < 2500; ++i) add(99.0 * i, 100);
    NoisyForecaster forecaster(trace, 0, 1);
    OwnOptions own;
    own.plan.least_steps = own.plan.most_steps = own.plan.most_future_steps = 100;
    OwnScheduler scheduler(forecaster, own);
    const RunResult result = run(trace, scheduler);
    EXPECT_LT(result.jobs[1].start_s, 200000);
    EXPECT_GT(result.jobs[1].start_s, 1000);
}

TEST(OwnScheduler, cost_takes_the_cheap_class_and_time_the_fast_one) {
    Trace trace{{{"fast", 1, 10}, {"cheap", 1, 1}}, {}};
    TraceJob job;
    job.steps = 7200;
    job.steps_per_s = {2, 1};
    trace.jobs.push_back(job);
    NoisyForecaster forecaster(trace, 0, 1);
    for (const bool saves : {false, true}) {
        OwnOptions own;
        own.plan.shadow_price = 0;
        if (saves) own.policy = Policy{1, 0, 0};
        OwnScheduler scheduler(forecaster, own);
        EXPECT_EQ(run(trace, scheduler).jobs[0].last_class, saves ? 1u : 0u);
    }
}

// Two devices of one class: a runs 10 s on both from 0; b wants both for 10 s, c one for 5 s, d one
// for 100 s.
Trace backfill_trace() {
    Trace trace{{{"a", 2, 1}}, {}};
    const auto add = [&](double arrival_s, double steps, std::uint32_t devices) {
        TraceJob job;
        job.id = std::string(1, static_cast<char>('a' + trace.jobs.size()));
        job.arrival_s = arrival_s;
        job.steps = steps;
        job.devices = devices;
        job.steps_per_s = {1};
        trace.jobs.push_back(job);
    };
    add(0, 10, 1);
    add(1, 10, 2);
    add(2, 5, 1);
    add(3, 100, 1);
    return trace;
}

TEST(StockScheduler, strict_fifo_backfill_and_first_fit_differ_as_they_should) {
    const Trace trace = backfill_trace();
    StockOptions options;
    options.preference = {0};
    const auto starts = [&](StockOptions::Skip skip) {
        options.skip = skip;
        StockScheduler scheduler(options);
        std::vector<double> starts_s;
        for (const JobResult& job : run(trace, scheduler).jobs) starts_s.push_back(job.start_s);
        return starts_s;
    };
    EXPECT_EQ(starts(StockOptions::Skip::nothing), (std::vector<double>{0, 10, 20, 20}));
    EXPECT_EQ(starts(StockOptions::Skip::harmless), (std::vector<double>{0, 10, 2, 20}));
    EXPECT_EQ(starts(StockOptions::Skip::anything), (std::vector<double>{0, 107, 2, 7}));
}

TEST(StockScheduler, shortest_first_and_the_named_class) {
    Trace trace{{{"fast", 1, 1}, {"slow", 1, 1}}, {}};
    for (const double steps : {100.0, 50.0, 10.0}) {
        TraceJob job;
        job.id = std::to_string(steps);
        job.steps = steps;
        job.steps_per_s = {2, 1};
        trace.jobs.push_back(job);
    }
    StockOptions options;
    options.order = StockOptions::Order::shortest;
    options.choice = StockOptions::Choice::fastest;
    StockScheduler scheduler(options);
    const RunResult result = run(trace, scheduler);
    EXPECT_EQ(result.jobs[2].finish_s, 5);
    EXPECT_EQ(result.jobs[1].finish_s, 30);
    EXPECT_EQ(result.jobs[0].finish_s, 80);
}

TEST(AblationScheduler, order_and_choice_work_apart) {
    Trace trace{{{"fast", 1, 2}, {"slow", 1, 1}}, {}};
    for (const double steps : {100.0, 10.0}) {
        TraceJob job;
        job.id = std::to_string(steps);
        job.steps = steps;
        job.steps_per_s = {10, 1};
        trace.jobs.push_back(job);
    }
    const auto ends = [&](bool orders, bool chooses) {
        NoisyForecaster forecaster(trace, 0, 1);
        AblationScheduler scheduler(forecaster, {orders, chooses, {1, 0}});
        const RunResult result = run(trace, scheduler);
        return std::pair{result.jobs[0].finish_s, result.jobs[1].finish_s};
    };
    EXPECT_EQ(ends(false, false), (std::pair{100.0, 1.0}));  // cheapest first, in order of arrival
    EXPECT_EQ(ends(true, false), (std::pair{10.0, 10.0}));   // the small one takes the cheap class
    EXPECT_EQ(ends(false, true), (std::pair{10.0, 10.0}));   // the second is done first on the slow
    EXPECT_EQ(ends(true, true), (std::pair{11.0, 1.0}));     // and both on the fast one
}

}  // namespace
}  // namespace epochcast::simulate

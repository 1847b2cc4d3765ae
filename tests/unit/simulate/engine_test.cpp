// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/engine.hpp"

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

// Starts what fits, in order, on the first class with idle devices; then as told.
class Scripted : public Scheduler {
  public:
    std::function<void(const View&, Actions&)> also;
    bool starts_all = true;
    std::vector<double> decided_s;

    Actions decide(const View& view) override {
        decided_s.push_back(view.now_s);
        Actions actions;
        std::vector<std::uint32_t> idle(view.idle.begin(), view.idle.end());
        for (const std::uint32_t j : view.live) {
            if (!starts_all || view.jobs[j].run) continue;
            for (std::uint32_t c = 0; c < idle.size(); ++c) {
                const TraceJob& job = view.trace.jobs[j];
                if (!(job.steps_per_s[c] > 0) || idle[c] < job.devices) continue;
                idle[c] -= job.devices;
                actions.starts.push_back({j, c, true});
                break;
            }
        }
        if (also) also(view, actions);
        return actions;
    }
};

TraceJob job(const std::string& id,
             double arrival_s,
             double steps,
             std::vector<double> rates,
             std::uint32_t devices = 1) {
    TraceJob made;
    made.id = id;
    made.task = id;
    made.arrival_s = arrival_s;
    made.steps = steps;
    made.steps_per_s = std::move(rates);
    made.devices = devices;
    return made;
}

TEST(Engine, runs_jobs_one_after_another_on_one_device) {
    const Trace trace{{{"a", 1, 3.6}}, {job("x", 0, 100, {10}), job("y", 2, 50, {5})}};
    Scripted scheduler;
    const auto result = run_trace(trace, scheduler, {});
    ASSERT_TRUE(result);
    EXPECT_DOUBLE_EQ(result.value().jobs[0].finish_s, 10);
    EXPECT_DOUBLE_EQ(result.value().jobs[1].start_s, 10);
    EXPECT_DOUBLE_EQ(result.value().jobs[1].finish_s, 20);
    EXPECT_DOUBLE_EQ(result.value().jobs[1].busy_device_s, 10);
    EXPECT_DOUBLE_EQ(result.value().jobs[1].cost, 10 * 3.6 / 3600);
    EXPECT_EQ(scheduler.decided_s, (std::vector<double>{0, 2, 10}));
    EXPECT_TRUE(result.value().decision_s.empty());
}

TEST(Engine, a_requeue_waits_for_the_end_of_the_epoch_and_costs_restoring) {
    Trace trace{{{"a", 1, 0}, {"b", 1, 0}}, {job("x", 0, 100, {1, 2}), job("y", 15, 5, {1, 0})}};
    trace.jobs[0].epoch_steps = 20;
    Scripted scheduler;
    scheduler.also = [](const View& view, Actions& actions) {
        if (view.now_s == 15) actions.requeues.push_back(0);
    };
    EngineOptions options;
    options.move_s = 7;
    const auto result = run_trace(trace, scheduler, options);
    ASSERT_TRUE(result);
    // Asked at 15 s it stops at 20 s with 20 steps done; 80 are left. The scripted scheduler starts
    // it first again, on class a: 7 s of restoring and 80 s of work, and y after it.
    EXPECT_EQ(scheduler.decided_s[2], 20);
    EXPECT_EQ(result.value().jobs[0].moves, 1u);
    EXPECT_DOUBLE_EQ(result.value().jobs[0].finish_s, 20 + 7 + 80);
    EXPECT_DOUBLE_EQ(result.value().jobs[0].busy_device_s, 107);
    EXPECT_DOUBLE_EQ(result.value().jobs[1].start_s, 107);
}

TEST(Engine, a_job_asked_to_stop_in_its_last_epoch_just_ends) {
    Trace trace{{{"a", 1, 0}}, {job("x", 0, 30, {1})}};
    trace.jobs[0].epoch_steps = 20;
    Scripted scheduler;
    scheduler.also = [](const View& view, Actions& actions) {
        actions.review_s = view.now_s < 25 ? 25 : 1e9;
        if (view.now_s == 25) actions.requeues.push_back(0);
    };
    const auto result = run_trace(trace, scheduler, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result.value().jobs[0].moves, 0u);
    EXPECT_DOUBLE_EQ(result.value().jobs[0].finish_s, 30);
}

TEST(Engine, with_rounds_nobody_decides_between_two_of_them) {
    const Trace trace{{{"a", 1, 0}}, {job("x", 1, 100, {10}), job("y", 2, 50, {5})}};
    Scripted scheduler;
    EngineOptions options;
    options.round_s = 6;
    const auto result = run_trace(trace, scheduler, options);
    ASSERT_TRUE(result);
    EXPECT_DOUBLE_EQ(result.value().jobs[0].start_s, 6);
    EXPECT_DOUBLE_EQ(result.value().jobs[0].finish_s, 16);
    EXPECT_DOUBLE_EQ(result.value().jobs[1].start_s, 18);
    EXPECT_EQ(scheduler.decided_s, (std::vector<double>{6, 18}));
}

TEST(Engine, asks_the_callers_clock_around_each_decision) {
    const Trace trace{{{"a", 1, 0}}, {job("x", 0, 1, {1}), job("y", 9, 1, {1})}};
    Scripted scheduler;
    double time_s = 0;
    EngineOptions options;
    options.clock = [&] { return time_s += 0.25; };
    const auto result = run_trace(trace, scheduler, options);
    ASSERT_TRUE(result);
    // At 0, when x ends and when y comes; nothing is left to decide when y ends.
    EXPECT_EQ(result.value().decision_s, (std::vector<double>{0.25, 0.25, 0.25}));
}

TEST(Engine, refuses_what_a_scheduler_cannot_do) {
    const Trace trace{{{"a", 1, 0}, {"b", 4, 0}},
                      {job("x", 0, 1, {1, 0}), job("y", 0, 1, {1, 1}, 2), job("z", 5, 1, {1, 1})}};
    const auto error_of = [&](Start start, bool twice = false) {
        Scripted scheduler;
        scheduler.starts_all = false;
        scheduler.also = [=](const View&, Actions& actions) {
            actions.starts.push_back(start);
            if (twice) actions.starts.push_back(start);
        };
        const auto result = run_trace(trace, scheduler, {});
        EXPECT_FALSE(result);
        return result ? std::string() : result.error().message;
    };
    EXPECT_EQ(error_of({0, 1}), "the scheduler started job x where it does not fit");
    EXPECT_EQ(error_of({1, 0}), "the scheduler started job y on devices that are not idle");
    EXPECT_EQ(error_of({2, 0}), "the scheduler started job z that does not wait");
    EXPECT_EQ(error_of({0, 0}, true), "the scheduler started job x that does not wait");
}

TEST(Engine, says_which_job_waits_for_ever) {
    const Trace trace{{{"a", 1, 0}}, {job("x", 0, 1, {1}), job("big", 0, 1, {1}, 2)}};
    Scripted scheduler;
    const auto result = run_trace(trace, scheduler, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "the scheduler left job big waiting for ever");
}

TEST(Engine, an_empty_trace_ends_at_once) {
    Scripted scheduler;
    const auto result = run_trace({{{"a", 1, 0}}, {}}, scheduler, {});
    ASSERT_TRUE(result);
    EXPECT_TRUE(scheduler.decided_s.empty());
}

}  // namespace
}  // namespace epochcast::simulate

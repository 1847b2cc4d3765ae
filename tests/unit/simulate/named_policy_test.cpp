// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/named_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulate/epochs.hpp"

namespace epochcast::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TraceJob job(const char* id, double arrival_s, double seconds) {
    TraceJob made;
    made.id = id;
    made.task = "cnn";
    made.arrival_s = arrival_s;
    made.steps = seconds;
    made.steps_per_s = {1};
    made.epoch_steps = 10;
    return made;
}

// Two jobs, 100 and 50 s, on one device that costs 36 an hour.
Trace two_jobs() { return {{{"a", 1, 36}}, {job("1", 0, 100), job("2", 0, 50)}}; }

Result<PolicyRun> run(const char* name, const Trace& trace, const Conditions& conditions = {}) {
    const auto policy = parse_named_policy(name);
    return run_policy(policy.value(), trace, nullptr, conditions, 1, 0, trace.jobs.size());
}

TEST(NamedPolicy, runs_a_trace_under_the_policy_of_that_name) {
    const PolicyRun fifo = run("fifo", two_jobs()).value();
    EXPECT_DOUBLE_EQ(fifo.metrics.jct_mean_s, (100 + 150) / 2.0);
    EXPECT_DOUBLE_EQ(fifo.metrics.makespan_s, 150);
    EXPECT_DOUBLE_EQ(fifo.metrics.utilisation, 1);
    EXPECT_NEAR(fifo.metrics.cost, 1.5, 1e-9);
    EXPECT_DOUBLE_EQ(run("shortest-first", two_jobs()).value().metrics.jct_mean_s, 100);
    EXPECT_DOUBLE_EQ(run("own", two_jobs()).value().metrics.jct_mean_s, 100);
}

TEST(NamedPolicy, every_name_is_read_and_all_but_pollux_own_run_any_trace) {
    for (const PolicyName& name : policy_names()) {
        const auto policy = parse_named_policy(name.name);
        ASSERT_TRUE(policy) << name.name;
        EXPECT_EQ(policy.value().kind, name.kind);
        const auto done = run(name.name, two_jobs());
        const bool needs_pollux =
            name.kind == PolicyKind::optimus || name.kind == PolicyKind::tiresias;
        EXPECT_EQ(done.ok(), !needs_pollux) << name.name;
        if (!done) {
            EXPECT_EQ(done.error().kind, ErrorKind::usage);
            EXPECT_THAT(done.error().message, HasSubstr("Pollux"));
            continue;
        }
        for (const JobResult& result : done.value().result.jobs) EXPECT_GE(result.finish_s, 50);
    }
}

TEST(NamedPolicy, our_own_take_the_policy_of_the_jobs) {
    const NamedPolicy policy = parse_named_policy("own-moves:cost=1,time=3").value();
    EXPECT_EQ(policy.kind, PolicyKind::own_moves);
    EXPECT_EQ(policy.utility, (Policy{0.25, 0.75, 0}));
    EXPECT_EQ(policy.label, "own-moves:cost=1,time=3");
    EXPECT_EQ(parse_named_policy("own").value().utility, (Policy{0, 1, 0}));
}

TEST(NamedPolicy, other_text_is_refused_with_what_is_allowed) {
    for (const char* wrong : {"", "OWN", "own ", "fifo:cost", ":cost", "cost"}) {
        const auto policy = parse_named_policy(wrong);
        ASSERT_FALSE(policy) << wrong;
        EXPECT_EQ(policy.error().kind, ErrorKind::usage);
        EXPECT_THAT(policy.error().message, HasSubstr("gavel-las")) << wrong;
    }
    EXPECT_THAT(parse_named_policy("own:cost=1,tme=2").error().message,
                HasSubstr("character 8: 'tme'"));
}

TEST(NamedPolicy, parts_of_our_policy_need_a_forecast_for_every_job) {
    Conditions closed;
    closed.is_closed_loop = true;
    const auto refused = run("order-alone", two_jobs(), closed);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("closed loop"));
    Trace trace = two_jobs();
    begin_closed_loop(trace, 1);
    EXPECT_TRUE(run("own-trial", trace, closed));
}

TEST(NamedPolicy, says_whether_the_seed_matters) {
    Conditions exact;
    exact.sigma = 0;
    const auto depends = [](const char* name, const Conditions& conditions) {
        return depends_on_seed(parse_named_policy(name).value(), conditions);
    };
    EXPECT_TRUE(depends("own", exact));
    EXPECT_FALSE(depends("fifo", exact));
    EXPECT_FALSE(depends("order-alone", exact));
    EXPECT_TRUE(depends("order-alone", {}));
    EXPECT_FALSE(depends("gavel-las", {}));
    Conditions closed;
    closed.is_closed_loop = true;
    EXPECT_TRUE(depends("fifo", closed));  // jobs that arrive together are shuffled
}

TEST(NamedPolicy, decisions_are_timed_and_watched_only_if_asked) {
    EXPECT_TRUE(std::isnan(run("fifo", two_jobs()).value().metrics.decision_mean_s));
    Conditions conditions;
    double now_s = 0;
    int watched = 0;
    conditions.clock = [&] { return now_s += 0.5; };
    conditions.watch = [&](const View&) { ++watched; };
    EXPECT_DOUBLE_EQ(run("fifo", two_jobs(), conditions).value().metrics.decision_mean_s, 0.5);
    EXPECT_EQ(watched, 2);
}

TEST(Average, is_over_runs_and_keeps_the_worst_decision) {
    Metrics a;
    a.jct_mean_s = 10;
    a.decision_max_s = 3;
    Metrics b;
    b.jct_mean_s = 20;
    b.decision_max_s = 1;
    const Metrics mean = average(std::array{a, b});
    EXPECT_DOUBLE_EQ(mean.jct_mean_s, 15);
    EXPECT_DOUBLE_EQ(mean.decision_max_s, 3);
}

}  // namespace
}  // namespace epochcast::simulate

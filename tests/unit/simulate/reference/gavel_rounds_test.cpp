// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/gavel_rounds.hpp"

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

TraceJob job(const char* id, double arrival_s, double steps, std::vector<double> rates) {
    TraceJob job;
    job.id = id;
    job.arrival_s = arrival_s;
    job.steps = steps;
    job.steps_per_s = std::move(rates);
    return job;
}

// One device, two jobs of one round each: one after the other.
TEST(GavelRounds, one_device_serves_two_jobs_in_turn) {
    const Trace trace{{{"v100", 1, 3.6}}, {job("a", 0, 360, {1}), job("b", 0, 360, {1})}};
    const auto run = run_gavel(trace, GavelPolicy::las, {}).value();
    EXPECT_DOUBLE_EQ(run.jobs[0].finish_s, 360);
    EXPECT_DOUBLE_EQ(run.jobs[1].finish_s, 720);
    EXPECT_DOUBLE_EQ(run.jobs[1].start_s, 360);
    EXPECT_DOUBLE_EQ(run.jobs[0].busy_device_s, 360);
    EXPECT_NEAR(run.jobs[0].cost, 0.36, 1e-12);
}

// Jobs of two rounds each take turns: after a round the one that has run is behind in priority.
TEST(GavelRounds, jobs_with_equal_shares_alternate) {
    const Trace trace{{{"v100", 1, 0}}, {job("a", 0, 720, {1}), job("b", 0, 720, {1})}};
    const auto run = run_gavel(trace, GavelPolicy::las, {}).value();
    EXPECT_DOUBLE_EQ(run.jobs[0].start_s, 0);
    EXPECT_DOUBLE_EQ(run.jobs[1].start_s, 360);
    EXPECT_DOUBLE_EQ(run.jobs[0].finish_s, 1080);
    EXPECT_DOUBLE_EQ(run.jobs[1].finish_s, 1440);
    EXPECT_EQ(run.jobs[0].moves, 1u);
}

// A round ends when its last job ends, and a job that arrives waits for that.
TEST(GavelRounds, rounds_end_early_when_their_jobs_end) {
    const Trace trace{{{"v100", 1, 0}}, {job("a", 0, 100, {1}), job("b", 50, 100, {1})}};
    const auto run = run_gavel(trace, GavelPolicy::las, {}).value();
    EXPECT_DOUBLE_EQ(run.jobs[0].finish_s, 100);
    EXPECT_DOUBLE_EQ(run.jobs[1].finish_s, 200);
}

// Each job runs where the makespan needs it: 1000 s each, where the wrong way round takes 10 000 s.
TEST(GavelRounds, makespan_policy_uses_each_class_for_what_it_does_best) {
    const Trace trace{{{"v100", 1, 0}, {"k80", 1, 0}},
                      {job("a", 0, 1000, {1, 0.1}), job("b", 0, 1000, {0.1, 1})}};
    const auto run = run_gavel(trace, GavelPolicy::makespan, {}).value();
    EXPECT_NEAR(run.jobs[0].finish_s, 1000, 1e-6);
    EXPECT_NEAR(run.jobs[1].finish_s, 1000, 1e-6);
}

// Nothing is left to share when the first job has ended and the second has not arrived.
TEST(GavelRounds, an_idle_cluster_waits_for_the_next_arrival) {
    const Trace trace{{{"v100", 1, 0}}, {job("a", 0, 100, {1}), job("b", 9000, 100, {1})}};
    for (const GavelPolicy policy : {GavelPolicy::las, GavelPolicy::makespan}) {
        const auto run = run_gavel(trace, policy, {}).value();
        EXPECT_DOUBLE_EQ(run.jobs[1].start_s, 9000);
        EXPECT_DOUBLE_EQ(run.jobs[1].finish_s, 9100);
    }
}

TEST(GavelRounds, all_policies_finish_all_work) {
    Trace trace{{{"v100", 2, 3}, {"p100", 4, 2}, {"k80", 4, 1}}, {}};
    for (int i = 0; i < 30; ++i) {
        trace.jobs.push_back(job("j", 500.0 * i, 1000 + 700 * i, {3, 2.0 / (1 + i % 3), 1}));
        trace.jobs.back().devices = 1 + static_cast<std::uint32_t>(i % 2);
    }
    for (const GavelPolicy policy :
         {GavelPolicy::las, GavelPolicy::las_blind, GavelPolicy::makespan, GavelPolicy::isolated}) {
        const auto run = run_gavel(trace, policy, {}).value();
        for (std::size_t j = 0; j < trace.jobs.size(); ++j) {
            EXPECT_GE(run.jobs[j].start_s, trace.jobs[j].arrival_s);
            EXPECT_GE(run.jobs[j].finish_s - run.jobs[j].start_s, trace.jobs[j].steps / 3 - 1e-6);
        }
    }
}

TEST(GavelRounds, refuses_a_job_that_fits_nowhere) {
    const Trace trace{{{"v100", 1, 0}}, {job("big", 0, 100, {0})}};
    EXPECT_NE(run_gavel(trace, GavelPolicy::las, {}).error().message.find("'big'"),
              std::string::npos);
    EXPECT_TRUE(run_gavel({{{"v100", 1, 0}}, {}}, GavelPolicy::las, {}).ok());
}

}  // namespace
}  // namespace epochcast::simulate

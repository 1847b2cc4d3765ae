// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/metrics.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

TEST(Metrics, sums_up_a_run_by_hand) {
    Trace trace{{{"a", 2, 1}, {"b", 2, 1}}, {}};
    RunResult result;
    // Four devices, eight jobs: contention 2. Each would take 10 s alone on the fastest class.
    for (int j = 0; j < 8; ++j) {
        TraceJob job;
        job.arrival_s = 100;
        job.steps = 100;
        job.steps_per_s = {10, 5};
        trace.jobs.push_back(job);
        JobResult outcome;
        outcome.finish_s = 100 + 10.0 * (j + 1);
        outcome.busy_device_s = 10;
        outcome.cost = 2;
        outcome.moves = j == 0 ? 4 : 0;
        result.jobs.push_back(outcome);
    }
    result.decision_s = {1, 2, 9};
    const Metrics metrics = measure(trace, result);
    EXPECT_DOUBLE_EQ(metrics.jct_mean_s, 45);
    EXPECT_DOUBLE_EQ(metrics.jct_p50_s, 50);  // sorted[int(0.5 * 8)]
    EXPECT_DOUBLE_EQ(metrics.jct_p95_s, 80);
    EXPECT_DOUBLE_EQ(metrics.jct_max_s, 80);
    EXPECT_DOUBLE_EQ(metrics.makespan_s, 80);
    EXPECT_DOUBLE_EQ(metrics.utilisation, 80.0 / (4 * 80));
    EXPECT_DOUBLE_EQ(metrics.cost, 16);
    EXPECT_DOUBLE_EQ(metrics.rho_worst, 80.0 / (10 * 2));
    EXPECT_DOUBLE_EQ(metrics.rho_mean, 45.0 / 20);
    EXPECT_DOUBLE_EQ(metrics.unfair, 6.0 / 8);
    EXPECT_DOUBLE_EQ(metrics.moves_per_job, 0.5);
    EXPECT_DOUBLE_EQ(metrics.decision_mean_s, 4);
    EXPECT_DOUBLE_EQ(metrics.decision_max_s, 9);
    EXPECT_DOUBLE_EQ(measure(trace, result, 2, 4).jct_mean_s, 35);
    EXPECT_DOUBLE_EQ(gavel_rho(result, result, trace), 1);
}

TEST(Metrics, a_job_alone_is_timed_on_its_fastest_class) {
    TraceJob job;
    job.steps = 100;
    job.steps_per_s = {0, 4, 20};
    EXPECT_EQ(isolated_s(job), 5);
    job.steps_per_s = {0, 0};
    EXPECT_TRUE(std::isinf(isolated_s(job)));
}

}  // namespace
}  // namespace epochcast::simulate

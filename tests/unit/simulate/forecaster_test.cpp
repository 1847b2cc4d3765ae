// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/forecaster.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "simulate/learning_forecaster.hpp"

namespace epochcast::simulate {
namespace {

Trace trace_of(std::size_t jobs) {
    Trace trace{{{"v100", 1, 0, 15.7e12}, {"k80", 1, 0, 4.37e12}}, {}};
    for (std::size_t j = 0; j < jobs; ++j) {
        TraceJob job;
        job.task = "lm";
        job.batch = 10;
        job.steps = 1000;
        job.steps_per_s = {10, 2};
        job.epoch_steps = 100;
        trace.jobs.push_back(job);
    }
    return trace;
}

TEST(NoisyForecaster, is_exact_without_noise_and_log_normal_with) {
    const Trace trace = trace_of(4000);
    const NoisyForecaster exact(trace, 0, 1);
    EXPECT_DOUBLE_EQ(exact.step_s(3, 0), 0.1);
    EXPECT_DOUBLE_EQ(exact.step_s(3, 1), 0.5);
    const NoisyForecaster noisy(trace, 0.3, 1);
    double sum = 0;
    double squares = 0;
    for (std::uint32_t j = 0; j < 4000; ++j) {
        const double error = std::log(noisy.step_s(j, 1) * 2);
        sum += error;
        squares += error * error;
    }
    EXPECT_NEAR(sum / 4000, 0, 0.02);
    EXPECT_NEAR(std::sqrt(squares / 4000), 0.3, 0.02);
    EXPECT_EQ(NoisyForecaster(trace, 0.3, 1).step_s(9, 0), noisy.step_s(9, 0));
    EXPECT_NE(NoisyForecaster(trace, 0.3, 2).step_s(9, 0), noisy.step_s(9, 0));
}

TEST(LearningForecaster, knows_nothing_at_first_and_what_ran_afterwards) {
    const Trace trace = trace_of(2);
    LearningForecaster forecaster(trace, 0, 1);
    std::vector<JobState> jobs(2);
    const View view{0, trace, jobs, {}, {}, 0};
    forecaster.observe(view);
    EXPECT_TRUE(std::isnan(forecaster.step_s(0, 0)));
    EXPECT_FALSE(forecaster.is_seen(0, 0));
    // Job 0 runs on the fast class and has finished half an epoch, then two and a half.
    jobs[0].runs = 1;
    jobs[0].run = simulate::Run{};
    jobs[0].done_steps = 50;
    forecaster.observe(view);
    EXPECT_FALSE(forecaster.is_timed(1, 0));
    jobs[0].done_steps = 250;
    forecaster.observe(view);
    EXPECT_TRUE(forecaster.is_timed(1, 0));
    EXPECT_FALSE(forecaster.is_timed(1, 1));
    EXPECT_NEAR(forecaster.step_s(1, 0), 0.1, 1e-9);
    // The other class by FLOP rate: a guess, but slower.
    EXPECT_GT(forecaster.step_s(1, 1), 0.1);
}

}  // namespace
}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/shares.hpp"

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

// Two jobs, one device of each of two classes. The second job gains more from the first class (3:1)
// than the first job (2:1), so with a as the first job's part of it: 1 + a = 3 - 2 a, a = 2/3.
TEST(Shares, of_two_jobs_are_those_computed_by_hand) {
    const auto shares = max_min_shares({2, {1, 1}, {1, 1}, {2, 1, 3, 1}});
    ASSERT_TRUE(shares.ok());
    EXPECT_NEAR(shares.value().least, 5.0 / 3, 1e-6);
    EXPECT_NEAR(shares.value().share[0], 2.0 / 3, 1e-5);
    EXPECT_NEAR(shares.value().share[1], 1.0 / 3, 1e-5);
    EXPECT_NEAR(shares.value().share[2], 1.0 / 3, 1e-5);
    EXPECT_NEAR(shares.value().share[3], 2.0 / 3, 1e-5);
}

// One device, rates 1 and 3: x = 3 y, x + y = 1.
TEST(Shares, of_one_class_are_inverse_to_the_rates) {
    const auto shares = max_min_shares({1, {1}, {1, 1}, {1, 3}}).value();
    EXPECT_NEAR(shares.least, 0.75, 1e-6);
    EXPECT_NEAR(shares.share[0], 0.75, 1e-5);
    EXPECT_NEAR(shares.share[1], 0.25, 1e-5);
}

// A job of two devices uses up the class twice as fast: 2 x + y = 2, x = y.
TEST(Shares, count_the_devices_of_a_job) {
    const auto shares = max_min_shares({1, {2}, {2, 1}, {1, 1}}).value();
    EXPECT_NEAR(shares.least, 2.0 / 3, 1e-6);
}

// Nothing binds but the whole of each job's time.
TEST(Shares, never_exceed_a_job_s_time) {
    const auto shares = max_min_shares({2, {10, 10}, {1, 1}, {4, 1, 5, 2}}).value();
    EXPECT_NEAR(shares.least, 4, 1e-5);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LE(shares.share[2 * i] + shares.share[2 * i + 1], 1 + 1e-9);
    }
}

TEST(Shares, do_not_depend_on_the_rates_unit) {
    const auto one = max_min_shares({2, {1, 2}, {1, 1, 1}, {2, 1, 3, 1, 1, 5}}).value();
    const auto other =
        max_min_shares({2, {1, 2}, {1, 1, 1}, {2e9, 1e9, 3e9, 1e9, 1e9, 5e9}}).value();
    EXPECT_NEAR(other.least / one.least, 1e9, 1);
}

// With nothing to reach, one job on one device: x and 1 - x twice each, so x = 1/2.
TEST(Shares, centre_is_the_middle_of_what_is_allowed) {
    const auto shares = central_shares({1, {1}, {1}, {1}}, 0).value();
    EXPECT_NEAR(shares.share[0], 0.5, 1e-6);
}

TEST(Shares, centre_gives_each_job_what_is_asked_for) {
    const ShareProblem problem{2, {1, 1}, {1, 1}, {2, 1, 3, 1}};
    EXPECT_GE(central_shares(problem, 1.6).value().least, 1.6);
    EXPECT_FALSE(central_shares(problem, 1.7).ok());  // 5/3 is the most
}

TEST(Shares, refuse_what_cannot_run) {
    EXPECT_NE(max_min_shares({2, {1, 1}, {1, 1}, {2, 1, 0, 0}}).error().message.find("job 1"),
              std::string::npos);
    EXPECT_FALSE(max_min_shares({1, {0}, {1}, {1}}).ok());
    EXPECT_TRUE(max_min_shares({1, {1}, {}, {}}).ok());
}

TEST(Shares, of_many_unequal_jobs_leave_no_job_behind) {
    ShareProblem problem{3, {8, 16, 24}, {}, {}};
    for (int i = 0; i < 200; ++i) {
        problem.devices.push_back(1 << (i % 4));
        const double rate = 0.001 * (1 + i * i);
        problem.rate.insert(problem.rate.end(), {rate, rate / (1 + i % 5), rate / (2 + i % 7)});
    }
    const auto shares = max_min_shares(problem).value();
    EXPECT_GT(shares.least, 0);
    for (std::size_t c = 0; c < 3; ++c) {
        double used = 0;
        for (std::size_t i = 0; i < 200; ++i) used += problem.devices[i] * shares.share[3 * i + c];
        EXPECT_LE(used, problem.capacity[c] * (1 + 1e-9));
    }
}

}  // namespace
}  // namespace epochcast::simulate

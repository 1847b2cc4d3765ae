// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/time_limit.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace epochcast {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(TimeLimit, is_twice_the_mean_where_epochs_are_steady) {
    // 30 s + 90 epochs x 2 x 60 s = 10830 s.
    EXPECT_EQ(time_limit_min({30, 60, 61}, 90), 181u);
}

TEST(TimeLimit, is_the_bound_where_they_are_not) {
    // 99.9 % bound: 60 + 3.0902 / 1.6449 x 60 = 172.7 s, more than 120.
    EXPECT_EQ(time_limit_min({0, 60, 120}, 10), 29u);
    EXPECT_EQ(time_limit_min({0, 60, infinite}, 10), 0u);
}

TEST(TimeLimit, is_whole_minutes_rounded_up) {
    EXPECT_EQ(time_limit_min({0, 0.001, 0.001}, 1), 1u);
    EXPECT_EQ(time_limit_min({0, 30, 30}, 1), 1u);
    EXPECT_EQ(time_limit_min({1, 30, 30}, 1), 2u);
}

TEST(TimeLimit, start_up_counts_once) {
    EXPECT_EQ(time_limit_min({600, 30, 30}, 1) + 10 * 9, time_limit_min({600, 30, 30}, 91));
}

TEST(TimeLimit, an_interval_that_is_none_shortens_nothing) {
    EXPECT_EQ(time_limit_min({0, 60, nan}, 10), 20u);
    EXPECT_EQ(time_limit_min({0, 60, 0}, 10), 20u);
}

TEST(TimeLimit, what_is_unknown_or_absurd_gives_none) {
    EXPECT_EQ(time_limit_min({0, nan, nan}, 10), 0u);
    EXPECT_EQ(time_limit_min({nan, 60, 60}, 10), 0u);
    EXPECT_EQ(time_limit_min({-1, 60, 60}, 10), 0u);
    EXPECT_EQ(time_limit_min({0, 0, 0}, 10), 0u);
    EXPECT_EQ(time_limit_min({0, -5, 0}, 10), 0u);
    EXPECT_EQ(time_limit_min({infinite, 60, 60}, 1), 0u);
    EXPECT_EQ(time_limit_min({0, 3600, 3600}, 1'000'000'000), 0u) << "over a hundred years";
}

}  // namespace
}  // namespace epochcast

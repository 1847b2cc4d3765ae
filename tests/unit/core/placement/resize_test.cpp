// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/resize.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace epochcast {
namespace {

constexpr Policy time_policy{0, 1, 0};
constexpr Policy cost_policy{1, 0, 0};

Forecast epochs_of(double epoch_s, double peak_bytes = absent) {
    Forecast forecast;
    forecast.epoch.time_s = epoch_s;
    forecast.epoch.peak_memory_bytes = peak_bytes;
    return forecast;
}

TEST(Resize, a_second_node_is_worth_its_speed_to_time_and_its_waste_to_cost) {
    const Forecast one = epochs_of(100);
    const Forecast two = epochs_of(60);
    const Candidate now{0, 1, &one, 2};
    const Candidate larger{0, 2, &two, 2};
    EXPECT_NEAR(*marginal_utility(time_policy, 5, now, larger), std::log(100.0 / 60), 1e-14);
    EXPECT_NEAR(*marginal_utility(cost_policy, 5, now, larger), std::log(100.0 / 120), 1e-14);
    EXPECT_NEAR(*marginal_utility(time_policy, 5, larger, now), std::log(60.0 / 100), 1e-14);
    EXPECT_TRUE(may_grow(time_policy, 5, now, larger, {}));
    EXPECT_FALSE(may_grow(cost_policy, 5, now, larger, {}));
}

TEST(Resize, a_job_does_not_grow_for_nothing_nor_over_its_budget) {
    const Forecast one = epochs_of(100);
    const Forecast two = epochs_of(60);
    const Candidate now{0, 1, &one, 36};
    EXPECT_FALSE(may_grow(time_policy, 5, now, now, {}));
    // 5 epochs cost 5 on one node and 6 on two.
    EXPECT_TRUE(may_grow(time_policy, 5, now, Candidate{0, 2, &two, 36}, {absent, 6}));
    EXPECT_FALSE(may_grow(time_policy, 5, now, Candidate{0, 2, &two, 36}, {absent, 5.5}));
}

TEST(Resize, gives_back_only_while_the_deadline_still_holds) {
    const Forecast one = epochs_of(100);
    const Candidate smaller{0, 1, &one, 2};
    EXPECT_TRUE(may_give_back(5, smaller, {500, absent}));
    EXPECT_FALSE(may_give_back(5, smaller, {499, absent}));
    EXPECT_TRUE(may_give_back(5, smaller, {}));
    const Forecast big = epochs_of(100, 2000);
    EXPECT_FALSE(may_give_back(5, Candidate{0, 1, &big, 2, 0, 0, 1999}, {}));
    EXPECT_TRUE(may_give_back(5, Candidate{0, 1, &big, 2, 0, 0, 2000}, {}));
    EXPECT_FALSE(may_give_back(5, Candidate{0, 1, nullptr, 2}, {}));
}

TEST(Resize, without_a_utility_there_is_no_marginal_one) {
    const Forecast one = epochs_of(100);
    EXPECT_FALSE(marginal_utility(cost_policy, 1, {0, 1, &one}, {0, 2, &one, 1}));
    EXPECT_FALSE(marginal_utility(time_policy, 1, {0, 1, &one}, {0, 2, nullptr}));
    EXPECT_FALSE(may_grow(time_policy, 1, {0, 1, &one}, {0, 2, nullptr}, {}));
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/trade.hpp"

#include <gtest/gtest.h>

namespace epochcast {
namespace {

const std::vector<PlanClass> classes{{{}, 3.6}, {{}, 0.36}};
// 1 h for 3.6 and 5 h for 1.8.
const std::vector<PlanOption> options{{0, 1, 3600, 0}, {1, 1, 18000, 0}};

TEST(Trade, is_the_ratio_of_weights_times_time_over_cost_of_the_best_placement) {
    // Time alone prefers the first placement, but money is worth nothing to it.
    EXPECT_EQ(trade_s_per_cost(Policy{0, 1, 0}, options, classes), 0);
    EXPECT_DOUBLE_EQ(trade_s_per_cost(Policy{0.5, 0.5, 0}, options, classes), 3600 / 3.6);
    EXPECT_DOUBLE_EQ(trade_s_per_cost(Policy{0.2, 0.8, 0}, options, classes), 1000.0 / 4);
    EXPECT_DOUBLE_EQ(trade_s_per_cost(Policy{0.2, 0, 0.8}, options, classes), 1000.0 / 4);
}

TEST(Trade, grows_with_the_weight_of_cost_until_both_weigh_the_same) {
    double before = 0;
    for (const double cost : {0.1, 0.2, 0.3, 0.4, 0.5}) {
        const double trade = trade_s_per_cost(Policy{cost, 1 - cost, 0}, options, classes);
        EXPECT_GT(trade, before);
        before = trade;
    }
    for (const double cost : {0.7, 0.9, 1.0}) {
        EXPECT_EQ(trade_s_per_cost(Policy{cost, 1 - cost, 0}, options, classes), before);
    }
}

TEST(Trade, without_prices_or_options_money_does_not_count) {
    const std::vector<PlanClass> free{{{}, 0}, {{}, 0}};
    EXPECT_EQ(trade_s_per_cost(Policy{1, 0, 0}, options, free), 0);
    EXPECT_EQ(trade_s_per_cost(Policy{1, 0, 0}, {}, classes), 0);
}

}  // namespace
}  // namespace epochcast

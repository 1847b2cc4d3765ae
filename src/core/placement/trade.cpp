// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/trade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace epochcast {

namespace {

// Largest ratio of weights, cost over time. Beyond it E2 and E3 become later and hardly cheaper,
// since each job waits for what is cheapest for it alone; PlanSettings::cost_shadow does more.
constexpr double most_trade = 1;

}  // namespace

double trade_s_per_cost(const Policy& policy,
                        std::span<const PlanOption> options,
                        std::span<const PlanClass> classes) {
    if (policy.cost <= 0) return 0;
    const double time_weight = policy.time + policy.throughput;
    const double ratio = std::min(most_trade, policy.cost / time_weight);
    double least = std::numeric_limits<double>::infinity();
    double s_per_cost = 0;
    for (const PlanOption& option : options) {
        const double price = classes[option.class_index].price_per_unit_hour;
        const double cost = price * option.units * option.run_s / 3600;
        if (!(cost > 0)) continue;
        const double value = ratio * std::log(cost) + std::log(option.run_s);
        if (value >= least) continue;
        least = value;
        s_per_cost = option.run_s / cost;
    }
    return ratio * s_per_cost;
}

}  // namespace epochcast

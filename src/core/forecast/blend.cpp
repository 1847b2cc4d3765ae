// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Where several of rules 2 to 4 apply, their estimates together.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/forecast/expected_error.hpp"
#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

// Weights are 1 / spread^blend_power: 3 to 9 differ by 0.2 % on the cells of Gavel's table and by
// 0.5 % on its new types.
constexpr double blend_power = 7;

// How much of their disagreement is expected error.
constexpr double disagreement_part = 0.9;

}  // namespace

Estimate blended(const std::vector<Estimate>& estimates) {
    assert(!estimates.empty());
    Estimate best = *std::ranges::min_element(estimates, {}, &Estimate::spread);
    const auto weight_of = [least = best.spread](const Estimate& estimate) {
        return std::pow(least / estimate.spread, blend_power);
    };
    double weights = 0;
    double sum = 0;
    for (const Estimate& estimate : estimates) {
        weights += weight_of(estimate);
        sum += weight_of(estimate) * (estimate.log_time - best.log_time);
    }
    const double shift = sum / weights;
    double squares = 0;
    for (const Estimate& estimate : estimates) {
        const double distance = estimate.log_time - best.log_time - shift;
        squares += weight_of(estimate) * distance * distance;
    }
    best.log_time += shift;
    best.spread = combined_error(best.spread, disagreement_part * std::sqrt(squares / weights));
    return best;
}

}  // namespace epochcast

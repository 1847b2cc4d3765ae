// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/expected_error.hpp"

#include <algorithm>
#include <cmath>

namespace epochcast {

namespace {

// Error before anything was tried: a floor, a part per unit of ln batch that is bridged, and inside
// a part of what the neighbours leave open.
constexpr double inside_floor = 0.022;
constexpr double inside_per_gap = 0.015;
constexpr double open_part = 0.5;  // of open_range()
// The same of a curve of two points, which nothing can be tried on: the prior stands alone.
constexpr double untried_floor = 0.011;
constexpr double untried_open_part = 0.38;
constexpr double outside_floor = 0.04;
constexpr double outside_per_distance = 0.15;
constexpr double one_point_per_distance = 0.28;

// How many trials the prior counts as, and how much a miss at a hidden inner point counts: it left
// a gap of twice the width, but noise is the same at any width.
constexpr double prior_trials = 1;
constexpr double inside_part = 0.95;

// Half width of the 90 % interval in standard deviations.
constexpr double deviations = 1.87;

}  // namespace

double expected_curve_error(std::span<const BatchPoint> points,
                            double batch,
                            std::span<const double> misses) {
    const bool is_inside = points.front().batch <= batch && batch <= points.back().batch;
    double prior = 0;
    if (is_inside) {
        const auto high = std::ranges::lower_bound(points, batch, {}, &BatchPoint::batch);
        if (high->batch == batch) return inside_floor;
        const double gap = std::log(high->batch / (high - 1)->batch);
        const bool is_tried = !misses.empty();
        prior = (is_tried ? inside_floor : untried_floor) + inside_per_gap * gap +
                (is_tried ? open_part : untried_open_part) * open_range(points, batch);
    } else {
        const double end =
            batch < points.front().batch ? points.front().batch : points.back().batch;
        const double per_distance =
            points.size() == 1 ? one_point_per_distance : outside_per_distance;
        prior = outside_floor + per_distance * std::abs(std::log(batch / end));
    }
    const double part = is_inside ? inside_part : 1;
    double squares = prior_trials * prior * prior;
    for (const double miss : misses) squares += part * part * miss * miss;
    return std::sqrt(squares / (prior_trials + static_cast<double>(misses.size())));
}

double combined_error(double a, double b) { return std::sqrt(a * a + b * b); }

IntervalFactors interval_of(double spread) {
    return {std::exp(-deviations * spread), std::exp(deviations * spread)};
}

}  // namespace epochcast

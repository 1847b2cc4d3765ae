// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How far an estimate is expected to miss, as one standard deviation of ln time, and the interval
// that follows. The constants were set on Gavel's table and on Pollux's and Sia's profiles so that
// 85 to 95 % of the hidden values fall inside, and checked, not set, on Shockwave's table
// (tests/bench/README.md).

#include <span>

#include "core/forecast/batch_curve.hpp"

namespace epochcast {

// Of a curve at `batch`, from the gap it bridges and how far it missed the points that it has when
// each was hidden (`misses`: of inner points if batch is inside, of end points otherwise).
double expected_curve_error(std::span<const BatchPoint> points,
                            double batch,
                            std::span<const double> misses);

// What is left of the error of a curve of one point when a shape is borrowed.
inline constexpr double one_point_shape_gain = 0.75;

// Two independent errors together.
double combined_error(double a, double b);

// The interval of a time, as factors on it.
struct IntervalFactors {
    double low = 1;
    double high = 1;
};
IntervalFactors interval_of(double spread);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The few statistics that the rules of evidence share.

#include <vector>

namespace epochcast {

// values is not empty.
double median(std::vector<double> values);
double mean_of_all(const std::vector<double>& values);

// The 95 % point of Student's t with this many degrees of freedom (>= 2), by the expansion around
// the normal quantile (Abramowitz and Stegun 26.7.5).
double t_quantile_95(double degrees);

// One positive value that was seen, on the scale of logarithms, and how much it counts.
struct Weighed {
    double log_value = 0;
    double weight = 1;
};

// The logarithm of the value f with the least sum of weight x |f - value| / value: the forecast
// with the least mean relative error over what was seen. It is the median of the values with each
// weight divided by the value. values is not empty.
double least_relative_error(std::vector<Weighed> values);

// Weighted root mean square distance of the values from `log_value`.
double spread_around(double log_value, const std::vector<Weighed>& values);

}  // namespace epochcast

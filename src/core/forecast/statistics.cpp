// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace epochcast {

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double mean_of_all(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double t_quantile_95(double degrees) {
    constexpr double z = 1.6448536269514722;
    const double z3 = z * z * z;
    const double z5 = z3 * z * z;
    const double z7 = z5 * z * z;
    return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

double least_relative_error(std::vector<Weighed> values) {
    std::ranges::sort(values, {}, &Weighed::log_value);
    // Relative to the first value, so that no scale overflows.
    const double base = values.front().log_value;
    double total = 0;
    for (Weighed& value : values) {
        value.weight *= std::exp(base - value.log_value);
        total += value.weight;
    }
    double sum = 0;
    for (const Weighed& value : values) {
        sum += value.weight;
        if (sum >= total / 2) return value.log_value;
    }
    return values.back().log_value;
}

double spread_around(double log_value, const std::vector<Weighed>& values) {
    double squares = 0;
    double total = 0;
    for (const Weighed& value : values) {
        squares += value.weight * std::pow(value.log_value - log_value, 2);
        total += value.weight;
    }
    return std::sqrt(squares / total);
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace epochcast {
namespace {

TEST(Statistics, least_relative_error_prefers_the_smaller_of_two) {
    // 2 or 4: forecasting 2 for 4 errs by 50 %, 4 for 2 by 100 %.
    EXPECT_NEAR(std::exp(least_relative_error({{std::log(4), 1}, {std::log(2), 1}})), 2, 1e-12);
    EXPECT_NEAR(std::exp(least_relative_error({{std::log(4), 3}, {std::log(2), 1}})), 4, 1e-12);
}

TEST(Statistics, least_relative_error_is_the_best_of_the_values_seen) {
    const std::vector<Weighed> values{{-3, 1}, {0.2, 2}, {0.5, 1}, {0.6, 4}, {2, 3}, {700, 1}};
    const auto error_of = [&](double log_value) {
        double sum = 0;
        for (const Weighed& v : values) {
            sum += v.weight * std::abs(std::exp(log_value - v.log_value) - 1);
        }
        return sum;
    };
    const double best = least_relative_error(values);
    for (const Weighed& value : values) {
        EXPECT_LE(error_of(best), error_of(value.log_value) + 1e-12);
    }
}

TEST(Statistics, median_and_student_t_are_the_known_ones) {
    EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
    EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_NEAR(t_quantile_95(10), 1.8125, 0.001);
    EXPECT_NEAR(t_quantile_95(1e6), 1.6449, 0.001);
}

}  // namespace
}  // namespace epochcast

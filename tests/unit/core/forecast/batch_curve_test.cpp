// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/batch_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace epochcast {
namespace {

// A point by its seconds.
BatchPoint at(double batch, double time_s) { return {batch, std::log(time_s)}; }

double time_between(const std::vector<BatchPoint>& points, double batch) {
    return std::exp(log_time_between(points, batch));
}

TEST(BatchCurve, between_two_batches_time_to_the_1_5_is_linear_in_batch_to_the_1_5) {
    // 1 + (2.25^1.5 - 1) (2^1.5 - 1) / (4^1.5 - 1) = 1.62036, and that to the 2/3.
    EXPECT_NEAR(time_between({at(1, 1), at(4, 2.25)}, 2), 1.379561, 1e-5);
    EXPECT_NEAR(time_between({at(16, 1), at(64, 4)}, 32), 2, 1e-12);  // proportional stays so
    EXPECT_NEAR(time_between({at(16, 3), at(64, 3)}, 32), 3, 1e-12);  // constant stays so
}

TEST(BatchCurve, times_that_fall_or_rise_faster_than_the_batch_are_joined_by_a_line) {
    EXPECT_NEAR(time_between({at(1, 5), at(3, 1)}, 2), 3, 1e-12);
    EXPECT_NEAR(time_between({at(1, 1), at(3, 9)}, 2), 5, 1e-12);
}

TEST(BatchCurve, a_measured_batch_is_its_own_answer) {
    const std::vector<BatchPoint> points{at(1, 1), at(2, 7), at(4, 2), at(8, 3), at(16, 9)};
    for (const BatchPoint& point : points) {
        EXPECT_DOUBLE_EQ(log_time_at(points, point.batch), point.log_time);
    }
}

TEST(BatchCurve, beyond_the_ends_the_elasticity_bends_and_is_never_negative_nor_above_one) {
    // Elasticity 0.5 inside: 0.75 x 0.5 below, 1 - 0.55 x 0.5 above.
    const std::vector<BatchPoint> points{at(2, 1), at(8, 2)};
    EXPECT_NEAR(time_between(points, 1), std::pow(2, -0.375), 1e-12);
    EXPECT_NEAR(time_between(points, 16), 2 * std::pow(2, 0.725), 1e-12);
    const std::vector<BatchPoint> falling{at(2, 2), at(8, 1)};
    EXPECT_NEAR(time_between(falling, 1), 2, 1e-12);
    const std::vector<BatchPoint> steep{at(2, 1), at(8, 100)};
    EXPECT_NEAR(time_between(steep, 16), 200, 1e-9);
}

TEST(BatchCurve, one_batch_alone_scales_by_the_usual_elasticity) {
    EXPECT_NEAR(time_between({at(64, 10)}, 128), 10 * std::pow(2, 0.75), 1e-12);
}

TEST(BatchCurve, smooth_curves_are_followed_and_zigzags_averaged) {
    std::vector<BatchPoint> smooth;
    std::vector<BatchPoint> zigzag;
    for (int i = 0; i < 8; ++i) {
        const double batch = 16 * std::pow(1.4, i);
        smooth.push_back(at(batch, 1 + batch / 32));
        zigzag.push_back(at(batch, (1 + batch / 32) * (i % 2 == 0 ? 1 : 1.5)));
    }
    const auto middle_miss = [](std::vector<BatchPoint> points) {
        const BatchPoint hidden = points[4];
        points.erase(points.begin() + 4);
        return std::abs(log_time_at(points, hidden.batch) - hidden.log_time);
    };
    EXPECT_LT(middle_miss(smooth), 0.02);
    EXPECT_LT(middle_miss(zigzag), 0.8 * std::log(1.5));  // the line alone misses by all of it
}

TEST(BatchCurve, scales_with_the_times_and_with_the_batches) {
    const std::vector<BatchPoint> points{at(1, 1), at(2, 1.5), at(4, 2), at(8, 3), at(16, 6)};
    std::vector<BatchPoint> other;
    for (const BatchPoint& p : points) other.push_back({p.batch * 10, p.log_time + std::log(7)});
    for (const double batch : {0.5, 1.5, 3.0, 12.0, 40.0}) {
        EXPECT_NEAR(log_time_at(other, batch * 10), log_time_at(points, batch) + std::log(7), 1e-9);
    }
}

TEST(BatchCurve, extreme_but_finite_input_gives_finite_answers) {
    const std::vector<BatchPoint> points{
        at(1, 1e-300), at(2, 1e300), at(3, 1), at(1e19, 1), at(1.8e19, 2)};
    for (const double batch : {0.5, 1.5, 2.5, 1e10, 1e20}) {
        EXPECT_TRUE(std::isfinite(log_time_at(points, batch))) << batch;
    }
}

TEST(BatchCurve, what_neighbours_leave_open_is_nothing_at_points_and_outside) {
    const std::vector<BatchPoint> points{at(1, 1), at(16, 8)};
    EXPECT_EQ(open_range(points, 1), 0);
    EXPECT_EQ(open_range(points, 16), 0);
    EXPECT_EQ(open_range(points, 32), 0);
    // A line: 1 + 7 x 3 / 15 = 2.4; g = 4: (1 + 4095 x 255 / 65535)^(1/4) = 2.02857.
    EXPECT_NEAR(open_range(points, 4), std::log(2.4 / 2.02857), 1e-5);
}

TEST(BatchCurve, amounts_follow_a_plain_line_kept_between_constant_and_proportional) {
    const std::vector<BatchValue> points{{10, 100}, {20, 160}};
    EXPECT_DOUBLE_EQ(value_at(points, 15), 130);
    EXPECT_DOUBLE_EQ(value_at(points, 40), 280);
    EXPECT_DOUBLE_EQ(value_at(points, 5), 70);
    EXPECT_DOUBLE_EQ(value_at(std::vector<BatchValue>{{10, 100}, {20, 500}}, 40), 1000);
    EXPECT_DOUBLE_EQ(value_at(std::vector<BatchValue>{{10, 100}, {20, 50}}, 40), 50);
    EXPECT_DOUBLE_EQ(value_at(std::vector<BatchValue>{{10, 100}}, 40), 100);
}

}  // namespace
}  // namespace epochcast

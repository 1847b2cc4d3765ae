// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/model_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace epochcast {
namespace {

constexpr std::uint32_t here = 0;
constexpr std::uint32_t there = 1;

SurfacePoint point(double batch, double time, std::uint32_t placement = here, double slower = 1) {
    return {batch, std::log(slower), 0.01, placement, std::log(time)};
}

double time_of(const SurfaceValue& value) { return std::exp(value.log_time); }

TEST(ModelSurface, a_curve_elsewhere_bends_the_one_here) {
    // There the step takes 1 s up to batch 32 and then in proportion; here, twice as fast, batches
    // 8 and 128 are known and 32 is asked for: 0.5 s if this class bends alike.
    const std::vector<SurfacePoint> alone{point(8, 0.5), point(128, 2)};
    std::vector<SurfacePoint> both = alone;
    for (const double batch : {8.0, 16.0, 32.0, 64.0, 128.0}) {
        both.push_back(point(batch, std::max(1.0, batch / 32), there, 2));
    }
    const SurfaceValue without = surface_value(alone, 32, here);
    const SurfaceValue with = surface_value(both, 32, here);
    EXPECT_LT(time_of(with), 0.85 * time_of(without));
    EXPECT_GT(time_of(with), 0.5);
}

TEST(ModelSurface, a_measured_point_is_given_back_and_a_far_one_is_uncertain) {
    const std::vector<SurfacePoint> points{point(8, 1), point(16, 1.7), point(32, 3)};
    const SurfaceValue at = surface_value(points, 16, here);
    EXPECT_NEAR(time_of(at), 1.7, 0.06);
    const SurfaceValue far = surface_value(points, 512, here);
    EXPECT_GT(far.spread, 3 * at.spread);
    EXPECT_GT(time_of(far), 3);
}

TEST(ModelSurface, the_usual_elasticity_is_all_that_one_point_tells) {
    const std::vector<SurfacePoint> points{point(8, 1)};
    const SurfaceValue value = surface_value(points, 64, here);
    const double median = value.log_time + value.spread * value.spread;
    EXPECT_NEAR(median, 0.75 * std::log(8.0), 0.05);
}

TEST(ModelSurface, batches_that_do_not_fill_the_matrix_units_are_told_apart) {
    // 5, 11, 23 take half as long again as their neighbours 4, 8, 16, 32 let expect.
    std::vector<SurfacePoint> points;
    for (const double batch : {4.0, 8.0, 16.0, 32.0}) points.push_back(point(batch, batch));
    for (const double batch : {5.0, 23.0}) points.push_back(point(batch, 1.5 * batch));
    const double unaligned = time_of(surface_value(points, 11, here)) / 11;
    const double aligned = time_of(surface_value(points, 12, here)) / 12;
    EXPECT_GT(unaligned, 1.2 * aligned);
}

TEST(ModelSurface, a_rough_model_is_trusted_less_than_a_smooth_one) {
    std::vector<SurfacePoint> smooth;
    std::vector<SurfacePoint> rough;
    double sign = 1;
    for (const double batch : {4.0, 8.0, 16.0, 32.0, 128.0, 256.0, 512.0}) {
        smooth.push_back(point(batch, batch));
        rough.push_back(point(batch, batch * std::exp(0.2 * sign)));
        sign = -sign;
    }
    EXPECT_GT(surface_value(rough, 64, here).spread, 1.5 * surface_value(smooth, 64, here).spread);
}

TEST(ModelSurface, neither_order_nor_unit_nor_extreme_times_break_it) {
    std::vector<SurfacePoint> points{
        point(8, 1), point(16, 1e-200), point(1, 1e200), point(64, 3, there, 1e6)};
    const SurfaceValue value = surface_value(points, 32, here);
    EXPECT_TRUE(std::isfinite(value.log_time));
    EXPECT_TRUE(std::isfinite(value.spread));
    std::ranges::reverse(points);
    EXPECT_NEAR(surface_value(points, 32, here).log_time, value.log_time, 1e-6);
    for (SurfacePoint& each : points) each.log_time += std::log(1000.0);
    EXPECT_NEAR(surface_value(points, 32, here).log_time, value.log_time + std::log(1000.0), 1e-6);
}

}  // namespace
}  // namespace epochcast

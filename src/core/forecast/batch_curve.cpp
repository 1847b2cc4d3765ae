// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/batch_curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace epochcast {

namespace {

// Of 1, 1.5, 2, 2.5, 3, 4 on the profiles with only the end points known (mean error in % on T4,
// RTX, Quadro, A100): 1: 11.2, 9.4, 14.2, 10.6; 1.5: 8.6, 6.4, 9.2, 8.2; 2: 7.3, 5.2, 8.2, 9.6.
constexpr double curve_power = 1.5;

// Elasticity (d ln t / d ln b) of a step where one batch is known: about the mean over Gavel's
// table.
constexpr double usual_elasticity = 0.75;

// Beyond the ends: below, this part of the elasticity between the two nearest points; above, this
// part of the way from proportional to it. On Gavel's table 0.6 to 0.9 and 0.4 to 0.7 differ by 0.5
// %.
constexpr double elasticity_below = 0.75;
constexpr double elasticity_above = 0.55;

// The fit weighs points by their distance in ln b (standard deviation) and is trusted by its error
// on the measured points beside the line's. error_floor, as a squared error, keeps both in play.
constexpr double fit_width = 0.6;
constexpr double error_floor = 1e-4;
constexpr std::size_t fit_points = 5;

std::size_t first_at_or_after(std::span<const BatchPoint> points, double batch) {
    const auto found = std::ranges::lower_bound(points, batch, {}, &BatchPoint::batch);
    return static_cast<std::size_t>(found - points.begin());
}

// t^g is linear in b^g between the two.
double log_time_on_line(const BatchPoint& low, const BatchPoint& high, double batch, double g) {
    const double part = (std::pow(batch, g) - std::pow(low.batch, g)) /
                        (std::pow(high.batch, g) - std::pow(low.batch, g));
    const double rise = g * (high.log_time - low.log_time);
    // Beyond this exp() could overflow, and 1 is lost in it anyway.
    if (rise > 100) return low.log_time + (std::log(part) + rise) / g;
    return low.log_time + std::log1p(part * std::expm1(rise)) / g;
}

// Not falling, and not faster than the batch.
bool rises_as_usual(const BatchPoint& low, const BatchPoint& high) {
    const double rise = high.log_time - low.log_time;
    return rise >= 0 && rise <= std::log(high.batch / low.batch);
}

double log_time_outside(std::span<const BatchPoint> points, double batch) {
    const bool is_below = batch < points.front().batch;
    const BatchPoint& end = is_below ? points.front() : points.back();
    const double distance = std::log(batch / end.batch);
    if (points.size() == 1) return end.log_time + usual_elasticity * distance;
    const BatchPoint& next = is_below ? points[1] : points[points.size() - 2];
    const double elasticity =
        std::clamp((end.log_time - next.log_time) / std::log(end.batch / next.batch), 0.0, 1.0);
    const double bent =
        is_below ? elasticity_below * elasticity : 1 - elasticity_above * (1 - elasticity);
    return end.log_time + bent * distance;
}

// A line through all points by least squares of the relative error, in t^g over b^g.
double log_time_of_fit(std::span<const BatchPoint> points, double batch) {
    const double g = curve_power;
    double w = 0;
    double wu = 0;
    double wv = 0;
    for (const BatchPoint& point : points) {
        const double distance = std::log(point.batch / batch) / fit_width;
        const double weight = std::exp(-2 * g * point.log_time - distance * distance / 2);
        w += weight;
        wu += weight * std::pow(point.batch, g);
        wv += weight * std::exp(g * point.log_time);
    }
    const double u = wu / w;
    const double v = wv / w;
    double uu = 0;
    double uv = 0;
    for (const BatchPoint& point : points) {
        const double distance = std::log(point.batch / batch) / fit_width;
        const double weight = std::exp(-2 * g * point.log_time - distance * distance / 2);
        const double du = std::pow(point.batch, g) - u;
        uu += weight * du * du;
        uv += weight * du * (std::exp(g * point.log_time) - v);
    }
    const double slope = uu > 0 ? std::max(uv / uu, 0.0) : 0;
    const double value = std::max(v + slope * (std::pow(batch, g) - u), 0.1 * v);
    return std::log(value) / g;
}

// Mean squared errors of the line and of the fit at the inner points, each hidden in turn.
struct Errors {
    double line = 0;
    double fit = 0;
};

Errors errors_at_inner_points(std::span<const BatchPoint> points) {
    Errors errors;
    const auto count = static_cast<double>(points.size() - 2);
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        std::vector<BatchPoint> others(points.begin(), points.end());
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const double line = points[i].log_time - log_time_between(others, points[i].batch);
        const double fit = points[i].log_time - log_time_of_fit(others, points[i].batch);
        errors.line += line * line / count;
        errors.fit += fit * fit / count;
    }
    return errors;
}

}  // namespace

double log_time_between(std::span<const BatchPoint> points, double batch) {
    assert(!points.empty());
    const std::size_t after = first_at_or_after(points, batch);
    if (after < points.size() && points[after].batch == batch) return points[after].log_time;
    if (after == 0 || after == points.size()) return log_time_outside(points, batch);
    const BatchPoint& low = points[after - 1];
    const BatchPoint& high = points[after];
    return log_time_on_line(low, high, batch, rises_as_usual(low, high) ? curve_power : 1);
}

double open_range(std::span<const BatchPoint> points, double batch) {
    const std::size_t after = first_at_or_after(points, batch);
    if (after == 0 || after == points.size() || points[after].batch == batch) return 0;
    const BatchPoint& low = points[after - 1];
    const BatchPoint& high = points[after];
    if (!rises_as_usual(low, high)) return std::abs(high.log_time - low.log_time);
    return log_time_on_line(low, high, batch, 1) - log_time_on_line(low, high, batch, 4);
}

double log_time_at(std::span<const BatchPoint> points, double batch) {
    const double line = log_time_between(points, batch);
    const bool is_inside = points.front().batch < batch && batch < points.back().batch;
    if (points.size() < fit_points || !is_inside) return line;
    if (points[first_at_or_after(points, batch)].batch == batch) return line;
    const Errors errors = errors_at_inner_points(points);
    const double line_weight = 1 / (errors.line + error_floor);
    const double fit_weight = 1 / (errors.fit + error_floor);
    const double fit = log_time_of_fit(points, batch);
    // Times of equal scale are exp'd in the fit; absurd ones leave the line alone.
    if (!std::isfinite(fit) || !std::isfinite(fit_weight)) return line;
    return (line_weight * line + fit_weight * fit) / (line_weight + fit_weight);
}

double value_at(std::span<const BatchValue> points, double batch) {
    assert(!points.empty());
    const auto after = std::ranges::lower_bound(points, batch, {}, &BatchValue::batch);
    if (after != points.end() && after->batch == batch) return after->value;
    const bool is_below = after == points.begin();
    const bool is_above = after == points.end();
    if (points.size() == 1) return points.front().value;
    const BatchValue& a = is_below ? points[0] : is_above ? *(points.end() - 2) : *(after - 1);
    const BatchValue& b = is_below ? points[1] : is_above ? points.back() : *after;
    const double line = a.value + (b.value - a.value) * (batch - a.batch) / (b.batch - a.batch);
    if (!is_below && !is_above) return line;
    const BatchValue& end = is_below ? a : b;
    const double in_proportion = end.value * batch / end.batch;
    return std::clamp(line, std::min(end.value, in_proportion), std::max(end.value, in_proportion));
}

}  // namespace epochcast

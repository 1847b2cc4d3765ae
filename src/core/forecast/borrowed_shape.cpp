// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/borrowed_shape.hpp"

#include <algorithm>

#include "core/forecast/statistics.hpp"

namespace epochcast {

namespace {

// More than this is not a shape but another regime: 0.2 to 1 differ little on Gavel's table.
constexpr double largest_shape = 0.5;

const BatchPoint* find(std::span<const BatchPoint> points, double batch) {
    const auto found = std::ranges::lower_bound(points, batch, {}, &BatchPoint::batch);
    return found != points.end() && found->batch == batch ? &*found : nullptr;
}

}  // namespace

std::optional<double> shape_of(std::span<const BatchPoints> donors,
                               std::span<const BatchPoint> points,
                               double batch) {
    std::vector<double> shapes;
    BatchPoints shared;
    for (const BatchPoints& donor : donors) {
        const BatchPoint* at_batch = find(donor, batch);
        if (at_batch == nullptr) continue;
        shared.clear();
        for (const BatchPoint& point : points) {
            if (const BatchPoint* same = find(donor, point.batch)) shared.push_back(*same);
        }
        if (!shared.empty()) shapes.push_back(at_batch->log_time - log_time_between(shared, batch));
    }
    if (shapes.empty()) return std::nullopt;
    const double shape = shapes.size() < 3 ? mean_of_all(shapes) : median(shapes);
    return std::clamp(shape, -largest_shape, largest_shape);
}

}  // namespace epochcast

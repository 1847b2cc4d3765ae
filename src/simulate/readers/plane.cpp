// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/plane.hpp"

#include <array>
#include <limits>

namespace epochcast::simulate {

namespace {

constexpr double on_edge = 1e-12;

double cross(PlanePoint a, PlanePoint b, PlanePoint c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double square(PlanePoint a, PlanePoint b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

using Weights = std::array<double, 3>;

// Whether `at` is in the triangle, and its weights there.
bool weights_in(const std::array<PlanePoint, 3>& corner, PlanePoint at, Weights& weights) {
    const double area = cross(corner[0], corner[1], corner[2]);
    if (area == 0) return false;
    weights = {cross(at, corner[1], corner[2]) / area,
               cross(corner[0], at, corner[2]) / area,
               cross(corner[0], corner[1], at) / area};
    for (const double weight : weights) {
        if (weight < -on_edge) return false;
    }
    return true;
}

std::size_t nearest(const std::vector<PlanePoint>& points, PlanePoint at) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (square(points[i], at) < square(points[best], at)) best = i;
    }
    return best;
}

}  // namespace

std::vector<std::pair<std::size_t, double>> plane_weights(const std::vector<PlanePoint>& points,
                                                          PlanePoint at) {
    // Lifted to the paraboloid, the Delaunay triangle is the lowest one over the point.
    double lowest = std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::size_t, double>> best{{nearest(points, at), 1.0}};
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < points.size(); ++b) {
            for (std::size_t c = b + 1; c < points.size(); ++c) {
                Weights weights;
                const std::array corner{points[a], points[b], points[c]};
                if (!weights_in(corner, at, weights)) continue;
                double height = 0;
                for (std::size_t i = 0; i < 3; ++i) height += weights[i] * square(corner[i], at);
                if (height >= lowest) continue;
                lowest = height;
                best = {{a, weights[0]}, {b, weights[1]}, {c, weights[2]}};
            }
        }
    }
    return best;
}

}  // namespace epochcast::simulate

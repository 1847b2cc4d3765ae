// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Linear interpolation between scattered points of the plane.

#include <cstddef>
#include <utility>
#include <vector>

namespace epochcast::simulate {

struct PlanePoint {
    double x = 0;
    double y = 0;
};

// Weights (index, weight) of up to three points whose weighted mean is `at`: the corners of the
// Delaunay triangle around it; the nearest point alone where no triangle is around it. `points` is
// not empty. The time grows with the cube of their number, which suits tables of some tens of
// points.
std::vector<std::pair<std::size_t, double>> plane_weights(const std::vector<PlanePoint>& points,
                                                          PlanePoint at);

}  // namespace epochcast::simulate

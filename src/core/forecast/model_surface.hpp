// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a model showed on like placements as one surface of step time over the
// batch size and over how slow the placement is. It knows numbers only; on_surface.cpp asks it.

#include <cstdint>
#include <span>

namespace epochcast {

struct SurfacePoint {
    double batch = 1;  // per device
    // ln of time on this placement over time on the one asked for, as other models have it; 0 on
    // the one asked for. And how uncertain that is.
    double log_slowness = 0;
    double slowness_variance = 0;
    std::uint32_t placement = 0;  // any number that tells the placements apart
    double log_time = 0;          // ln of seconds per step
};

struct SurfaceValue {
    double log_time = 0;
    double spread = 0;  // expected error of log_time, one standard deviation
};

// The value at `batch` on `placement`, slowness 0, from at least one point. The forecast with
// the least expected relative error, so the wider the spread the lower. Time grows with the cube of
// the number of points.
SurfaceValue surface_value(std::span<const SurfacePoint> points,
                           double batch,
                           std::uint32_t placement);

}  // namespace epochcast

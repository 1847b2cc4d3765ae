// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a model's curves on other placements say about its curve on this one: where they lie above
// or below their own interpolation at a batch, this one probably does too.

#include <optional>
#include <span>
#include <vector>

#include "core/forecast/batch_curve.hpp"

namespace epochcast {

using BatchPoints = std::vector<BatchPoint>;

// How far the donors lie above (in ln time) what the batches of `points` alone would have told of
// them at `batch`: the mean of one or two, the median of more, at most a factor of e^0.5. Only the
// batches that a donor shares with `points` count; absent if no donor has `batch` and shares one.
std::optional<double> shape_of(std::span<const BatchPoints> donors,
                               std::span<const BatchPoint> points,
                               double batch);

}  // namespace epochcast

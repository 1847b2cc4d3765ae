// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Time per step over the batch size per device, from the batches that were measured (rule 2).
//
// Between two batches t^g is linear in b^g with g = 1.5: a step costs a part that does not depend
// on the batch and a part in proportion to it, and the two overlap. g = 1, the plain line of A10,
// overestimates the middle of wide gaps by 2 to 12 % on the profiles of Pollux and Sia; g = 2
// underestimates it on A100. Where times fall with the batch, or rise faster than it, g is 1.

#include <span>

namespace epochcast {

struct BatchPoint {
    double batch = 1;     // > 0
    double log_time = 0;  // ln of seconds per step
};

// ln of the time at `batch`, from at least one point, sorted by batch, batches distinct. Inside the
// range the line between the neighbours, blended with a fit through all points by how well each
// would have told the measured ones; outside it the end points' elasticity, bent towards constant
// below and towards proportional above, so never negative.
double log_time_at(std::span<const BatchPoint> points, double batch);

// As above without the fit: what the two nearest points alone say.
double log_time_between(std::span<const BatchPoint> points, double batch);

// How far apart, in ln time, a plain line and a step that overlaps much (g = 4) are at `batch`:
// what the two neighbours alone leave open. 0 at a measured batch and outside the range.
double open_range(std::span<const BatchPoint> points, double batch);

// A plain line over (batch, value) as A10 has it; outside the range the line of the two nearest
// points, but never less than constant or more than in proportion to the batch. For amounts other
// than time; values are >= 0.
struct BatchValue {
    double batch = 1;
    double value = 0;
};
double value_at(std::span<const BatchValue> points, double batch);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How a job's policy trades money for time in the queue plan. The utility is logarithmic, so near a
// placement (time, cost) one unit of money is worth (w_c / w_t) x (time / cost) seconds.

#include <span>

#include "core/placement/queue.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

// Seconds of delay that one unit of money is worth to a job with this policy, at the placement of
// highest utility if it never had to wait. Throughput counts as time. 0 where cost has no weight,
// no price is known or there are no options. The ratio of weights is held to 1, since a pure cost
// policy would wait for ever for the cheapest class; beyond, PlanJob::cost_weight does the rest.
double trade_s_per_cost(const Policy& policy,
                        std::span<const PlanOption> options,
                        std::span<const PlanClass> classes);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Plans a queue: which job runs where and in which order, what starts now, and what may work
// meanwhile on units that the plan leaves idle. Pure: equal input and seed give equal bits.

#include <cstdint>

#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"

namespace epochcast {

// `memory` carries the plan's order from one call to the next; an empty one is fine. Time grows
// with settings.most_steps x (1 + futures) x the length of the queue on one class.
QueuePlan plan_queue(Queue queue,
                     const PlanSettings& settings,
                     PlanMemory& memory,
                     std::uint64_t seed);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What follows from a plan now: which jobs start, and which work meanwhile on units that the plan
// leaves idle, until it needs them.

#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"

namespace epochcast {

// Fills everything in `plan` but its runs, which are sorted by start.
void advise(const Queue& queue, const PlanSettings& settings, QueuePlan& plan);

}  // namespace epochcast

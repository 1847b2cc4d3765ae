// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What to try first where nothing is known: of a task that no class has seen, the smallest jobs go
// to idle units of each class, and its others wait a little for the first epoch to be timed.

#include <vector>

#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"

namespace epochcast {

// The jobs that start on trial now. They hold their units in `queue` from then on, and the other
// jobs of their tasks are not released before they have waited patience_s.
std::vector<PlannedRun> explore(Queue& queue, const PlanSettings& settings);

}  // namespace epochcast

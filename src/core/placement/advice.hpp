// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What follows from a plan now: who starts, who may stay, who has to make room.

#include <vector>

#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"

namespace epochcast {

// Per class, when the plan needs each unit that stays idle now; ascending, infinity: never.
using IdleUnits = std::vector<std::vector<double>>;

// Fills starts, trials, confirms and requeues from plan.runs, which are sorted by start. A job
// starts if its planned start has come and its units are idle. A job that can stop makes room if
// its place in the plan is another one and has come, or if the plan gives its units to another job
// next.
IdleUnits advise(const Queue& queue, const PlanSettings& settings, QueuePlan& plan);

}  // namespace epochcast

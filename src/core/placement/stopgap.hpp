// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Work meanwhile (facts of placement: stopgap): a job whose planned place is not free yet may run
// on units that the plan leaves idle, without a claim to them.

#include "core/placement/advice.hpp"
#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"

namespace epochcast {

// Fills plan.stopgaps: in order of planned start, each waiting job takes the idle units on which it
// gains most, if that is more than stopgap_gain_s. What it gains by its planned start, or until the
// plan needs the units, is
//   (time there - lead there) x pace there / pace at the planned place - what restoring costs more
void fill_gaps(const Queue& queue, const PlanSettings& settings, IdleUnits idle, QueuePlan& plan);

}  // namespace epochcast

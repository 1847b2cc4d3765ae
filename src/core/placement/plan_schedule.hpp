// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// From lists to times: when each job of a plan starts and ends.

#include <vector>

#include "core/placement/plan_problem.hpp"

namespace epochcast {

// Every queued job of the lists, by start, then class and place in its list.
std::vector<PlannedRun> schedule(const PlanProblem& problem,
                                 const PlanSettings& settings,
                                 const PlanLists& lists);

// Equal starts keep their order.
void sort_by_start(std::vector<PlannedRun>& runs);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Plans against jobs that are only expected (facts of placement: P2): several futures are drawn,
// each is planned, and a job starts now only where most of them start it.

#include <vector>

#include "core/placement/plan_problem.hpp"
#include "core/random.hpp"

namespace epochcast {

// The runs of the plan `lists` after the rehearsal: a job that most futures start now starts now,
// with the option that they agree on; any other waits as long as they let it wait on average. `lists`
// is the plan without expected jobs. Empty arrivals give the plan as it is.
std::vector<PlannedRun> rehearse(const Queue& queue,
                                 const PlanProblem& problem,
                                 const PlanLists& lists,
                                 const PlanSettings& settings,
                                 Random& random);

}  // namespace epochcast

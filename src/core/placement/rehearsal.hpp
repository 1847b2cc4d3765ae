// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Plans against jobs that are only expected (facts of placement: P2): several futures are drawn and
// planned, and a job that none of them starts now waits.

#include <vector>

#include "core/placement/plan_problem.hpp"
#include "core/random.hpp"

namespace epochcast {

// The runs of the plan `lists` after the rehearsal, by start. Each job has the option that most
// futures give it; it starts at once if one of these does, else when they start it on average.
// Jobs whose policy weighs cost above all else keep their run of the plan. `lists` is the plan
// without expected jobs; without arrivals it stays as it is.
std::vector<PlannedRun> rehearse(const Queue& queue,
                                 const PlanProblem& problem,
                                 const PlanLists& lists,
                                 const PlanSettings& settings,
                                 Random& random);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The list plan (facts of placement: L0): the queue in order of size, each job where it is done
// first when the price of the units it takes is counted as delay.

#include <cstdint>

#include "core/placement/plan_problem.hpp"

namespace epochcast {

// Size of a job: the fewest unit-seconds that any of its options takes, divided by
// 1 + ageing x wait / isolated time, so that jobs are forgiven a wait in proportion to their own
// length. Firm runs come first and stay, starving jobs next. Ties by submission, then index.
PlanLists list_plan(const PlanProblem& problem, double ageing);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Epochs and declarations for traces that have none.

#include <cstdint>

#include "simulate/trace.hpp"

namespace epochcast::simulate {

// Sets TraceJob::epoch_steps: what the job's task does in S seconds on the class `reference` (on
// its fastest class where it does not fit there), at least 1 step. S is drawn once per task between
// 20 and 180 s from a hash of its name, so that seconds per epoch pooled over tasks tell nothing
// about a task not yet seen.
void set_epochs(Trace& trace, std::uint32_t reference);

// Half of the jobs, drawn by seed, declare between 1 and `factor` times their steps.
void declare_too_much(Trace& trace, double factor, std::uint64_t seed);

// The closed loop of the figures: arrivals at the same moment in an order drawn by seed, and
// half of the jobs declaring up to 3 times their steps.
void begin_closed_loop(Trace& trace, std::uint64_t seed);
// Spread of measured epoch times there (facts of placement, section 8).
inline constexpr double closed_loop_sigma = 0.03;

// Puts jobs that arrive together in an order drawn by seed.
void shuffle_ties(Trace& trace, std::uint64_t seed);

}  // namespace epochcast::simulate

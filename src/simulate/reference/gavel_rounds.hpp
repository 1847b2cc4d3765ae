// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Gavel's mechanism in simulation: rounds in which every class runs the jobs that are furthest
// below their shares. Jobs move freely and at no cost, as in Gavel's own simulator; rates are
// exact.

#include <cstdint>

#include "core/result.hpp"
#include "simulate/reference/gavel_policy.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

struct GavelOptions {
    double round_s = 360;    // length of a round; it ends early when all its jobs have ended
    double reset_s = 1920;   // least time between two computations of the shares
    std::uint64_t seed = 0;  // las_blind fills the classes in an order drawn anew each round
};

// Runs the trace to its end. Classes are filled in the order of Trace::classes. JobResult::moves
// counts the rounds in which a job began to run somewhere else than in the round before.
// Errors (bad_input): a job that fits on no class.
Result<RunResult> run_gavel(const Trace& trace, GavelPolicy policy, const GavelOptions& options);

}  // namespace epochcast::simulate

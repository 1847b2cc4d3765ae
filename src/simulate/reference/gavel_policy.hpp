// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Gavel's policies (Narayanan et al., OSDI 2020): which part of the time each job should spend on
// each class. Gavel's names are in brackets.

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

enum class GavelPolicy {
    las,        // max-min fairness that knows each job's rates [max_min_fairness_perf]
    las_blind,  // the same, taking all classes for equal [max_min_fairness]
    makespan,   // the earliest end of the last job [min_total_duration_perf]
    isolated,   // each job has its 1/n of every class [isolated]
};

// Shares of the jobs `live`, [job * classes + class], from their rates and what they have left.
// `remaining`: steps, by the trace's job number. Errors (bad_input): a job that fits on no class.
Result<std::vector<double>> gavel_shares(GavelPolicy policy,
                                         const Trace& trace,
                                         std::span<const std::uint32_t> live,
                                         std::span<const double> remaining);

}  // namespace epochcast::simulate

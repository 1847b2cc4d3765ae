// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The linear program behind Gavel's policies (Narayanan et al., OSDI 2020, section 4): which part
// of its time each job spends on each class,
//     maximise t  subject to  sum_j rate_ij x_ij >= t,  sum_j x_ij <= 1,
//                             sum_i devices_i x_ij <= capacity_j,  x >= 0.
// It is solved along the central path, not by the simplex method: where many shares are best, as
// here almost always, the published figures come from an interior-point solver, whose answer is the
// centre of the best ones and not one of their corners. The gap to the optimum is bounded by
// duality.

#include <cstddef>
#include <vector>

#include "core/result.hpp"

namespace epochcast::simulate {

struct ShareProblem {
    std::size_t classes = 0;
    std::vector<double> capacity;  // devices of each class, > 0
    std::vector<double> devices;   // of each job, > 0
    std::vector<double> rate;      // [job * classes + class], >= 0; one above 0 for each job
};

struct Shares {
    std::vector<double> share;  // as ShareProblem::rate, each above 0
    double least = 0;           // the smallest sum_j rate_ij x_ij of any job
};

// The shares with the largest least rate, to a relative gap of 1e-8. Errors (bad_input): a job that
// no class can run, no capacity.
Result<Shares> max_min_shares(const ShareProblem& problem);

// The centre of the shares that give each job a rate of at least `least`: those that maximise the
// sum of the logarithms of all slacks. Errors (bad_input): as above, or `least` cannot be reached.
Result<Shares> central_shares(const ShareProblem& problem, double least);

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A time limit that a training job will not hit, for jobs whose user gave none. Too long costs the
// job some backfill; too short costs the whole run, so all doubt makes it longer.

#include <cstdint>

namespace epochcast {

// Jobs of the task that must have been recorded before anything is limited by its forecast.
inline constexpr std::uint32_t least_runs_for_limit = 3;

// What is forecast for the slowest placement that the job could get.
struct SlowestRun {
    double startup_s = 0;
    double epoch_s = 0;       // mean
    double epoch_high_s = 0;  // upper end of its 90 % interval
};

// start-up + epochs x max(2 x mean, 99.9 % bound of one epoch), in whole minutes, rounded up; 0 if
// that is no number of minutes that Slurm can take (unknown times, or over a hundred years).
std::uint32_t time_limit_min(const SlowestRun& run, std::uint64_t epochs);

}  // namespace epochcast

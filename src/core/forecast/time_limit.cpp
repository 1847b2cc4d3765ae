// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/time_limit.hpp"

#include <algorithm>
#include <cmath>

namespace epochcast {

namespace {

// How far the 99.9 % quantile lies above the mean, in distances of the 95 % quantile, which is the
// upper end of a 90 % interval: 3.0902 / 1.6449 of a normal distribution.
constexpr double bound_per_high = 3.0902 / 1.6449;

constexpr double longest_min = 100 * 365.25 * 24 * 60;

}  // namespace

std::uint32_t time_limit_min(const SlowestRun& run, std::uint64_t epochs) {
    const double spread_s = std::max(run.epoch_high_s - run.epoch_s, 0.0);
    const double bound_s = run.epoch_s + bound_per_high * spread_s;
    const double epoch_s = std::max(2 * run.epoch_s, bound_s);
    const double minutes = std::ceil((run.startup_s + static_cast<double>(epochs) * epoch_s) / 60);
    // The comparison fails for NaN, too.
    if (!(run.epoch_s > 0 && run.startup_s >= 0 && minutes <= longest_min)) return 0;
    return static_cast<std::uint32_t>(std::max(minutes, 1.0));
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Means of epoch records: the plain one of requirement A5, and the robust one that forecasts use.

#include <cstdint>
#include <span>

#include "core/epoch_record.hpp"
#include "core/forecast/forecast.hpp"

namespace epochcast {

// Means over all whole, measured epochs (A5): neither partial nor generated rows count.
EpochMeans plain_means(std::span<const EpochRecord> records);

struct RobustMeans {
    EpochMeans means;
    double low_s = absent;  // 90 % interval of one more epoch's time
    double high_s = absent;
    std::uint32_t used = 0;      // epochs that the means rest on
    bool only_doubtful = false;  // nothing but warm-up or resumed epochs existed, so they were used
};

// Leaves out warm-up, resumed, partial and generated epochs, those without a positive finite time,
// and absurd ones: farther from the median than half of it and than 5 standard deviations
// estimated from the median absolute deviation. used is 0 if nothing is left.
RobustMeans robust_means(std::span<const EpochRecord> records);

}  // namespace epochcast

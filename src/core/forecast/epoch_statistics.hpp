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
    double steps = absent;  // steps of an epoch, the median; absent where a record lacks them
    double low_s = absent;  // 90 % interval of one more epoch's time
    double high_s = absent;
    double drift_s = 0;           // growth per epoch where the epochs show a trend, else 0
    std::uint32_t used = 0;       // epochs that the means rest on
    bool only_doubtful = false;   // nothing but warm-up or resumed epochs existed: they were used
    bool only_generated = false;  // no steady epoch was measured: generated ones were used
};

// Leaves out warm-up, resumed and partial epochs, those without a positive finite time, a first
// epoch that took over 1.25 times the later ones, epochs with another batch size, and absurd ones:
// farther from the median than half of it and than 5 standard deviations estimated from the median
// absolute deviation. Generated epochs count only where no steady epoch was measured, doubtful ones
// only where there are neither. used is 0 if nothing is left.
//
// Epochs of unequal length are compared per step (else per sample) and the means are those of an
// epoch of median length. Where the times rise or fall steadily, the means are those of the last
// quarter, and the interval reaches as far as they would drift in as many epochs again.
//
// samples_per_step: the batch of all devices, as declared; NaN if unknown. Where records show
// several, those nearest to it count, else those like the newest record.
RobustMeans robust_means(std::span<const EpochRecord> records, double samples_per_step = absent);

}  // namespace epochcast

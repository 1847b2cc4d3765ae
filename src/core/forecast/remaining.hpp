// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How long a model job that runs will run on, from its own epochs (C3).

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/epoch_record.hpp"
#include "core/forecast/forecast.hpp"

namespace epochcast {

struct Remaining {
    double time_s = 0;  // until the last epoch ends, seconds
    double low_s = 0;   // 90 % interval
    double high_s = 0;
    std::uint64_t epochs = 0;  // not yet ended, the running one included
    // The running epoch takes over 5 times as long as expected: the job probably hangs, and the
    // times above, which count as if it went on, say little.
    bool is_stalled = false;
    std::string basis;  // "from its own 4 epochs"
};

// rows: the job's own epochs so far, those of unit_model_job, in order. epochs: how many the job
// will run in all. in_epoch_s: seconds since the running epoch began. prior: what the history says
// of an epoch of this job; null: nothing. Own steady epochs come first; while there are none (the
// first epoch is a warm-up) the prior answers, and without it nothing does.
std::optional<Remaining> forecast_remaining(std::span<const EpochRecord> rows,
                                            std::uint64_t epochs,
                                            double in_epoch_s,
                                            const Forecast* prior);

}  // namespace epochcast

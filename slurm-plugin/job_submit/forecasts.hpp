// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The forecast table as job_submit holds it: read by a thread of its own, looked at by one
// submission after the other. From Slurm 23.02 on submissions run in many threads at once, and
// each waits here at most for the ranking of others.

#include <mutex>

#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

class Forecasts {
  public:
    // Starts to watch the forecast files in `dir`.
    explicit Forecasts(const char* dir) : watch_(epochcast_watch_start(dir, nullptr)) {}
    ~Forecasts() { epochcast_watch_stop(watch_); }
    Forecasts(const Forecasts&) = delete;
    Forecasts& operator=(const Forecasts&) = delete;

    // What use(table) returns; the table, null if there is none, is valid in there only. use() must
    // not wait for anything.
    template <class Use>
    auto with_table(Use use) {
        const std::lock_guard lock(mutex_);
        return use(epochcast_watch_table(watch_));
    }

  private:
    std::mutex mutex_;
    epochcast_watch_t* const watch_;
};

}  // namespace epochcast::slurm

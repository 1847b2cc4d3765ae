// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Takes the shim out of slurmctld's way when it errs or is slow: everything in slurmctld waits
// while job_test runs. Once open it stays open until slurm.conf is read again.

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace epochcast::slurm {

class Breaker {
  public:
    static constexpr uint32_t window_calls = 16;
    static constexpr uint64_t mean_limit_ns = 2'000'000;

    // A call that takes so long is none that the operating system merely interrupted.
    static constexpr uint64_t stall_ns = 200'000'000;

    // Counts the time that one call spent in the shim itself. True if this opened the breaker: the
    // mean of a window was above the limit, or this one call was a stall. Shorter calls count for
    // at most a quarter of what opens it: on a busy machine a thread may be kept waiting for tens
    // of milliseconds whatever it does.
    bool count(uint64_t own_ns) {
        const uint64_t open_above_ns = mean_limit_ns * window_calls;
        ++calls_;
        sum_ns_ += own_ns >= stall_ns ? own_ns : std::min(own_ns, open_above_ns / 4);
        if (sum_ns_ > open_above_ns) return trip();
        if (calls_ == window_calls) calls_ = 0, sum_ns_ = 0;
        return false;
    }

    // Opens it at once, after an error. True if it was closed.
    bool trip() {
        const bool was_closed = !open_;
        open_ = true;
        return was_closed;
    }

    // True: do not steer. `configured`: when slurm.conf was last read; a new time closes it.
    bool open(std::time_t configured) {
        if (configured != configured_) {
            configured_ = configured;
            open_ = false;
            calls_ = 0;
            sum_ns_ = 0;
        }
        return open_;
    }

  private:
    std::time_t configured_ = 0;
    bool open_ = false;
    uint32_t calls_ = 0;
    uint64_t sum_ns_ = 0;
};

}  // namespace epochcast::slurm

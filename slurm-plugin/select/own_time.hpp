// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// How long job_test was kept by the shim itself: a histogram with buckets a quarter of an octave
// wide, so that percentiles are right within 19 %. Fixed size, no allocation.

#include <array>
#include <bit>
#include <cstdint>
#include <ctime>

namespace epochcast::slurm {

// Nanoseconds of a clock that never jumps; read without a system call.
inline uint64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

class OwnTime {
  public:
    void add(uint64_t ns) {
        ++buckets_[bucket(ns)];
        ++count_;
        max_ns_ = ns > max_ns_ ? ns : max_ns_;
    }
    uint64_t count() const { return count_; }
    uint64_t max_ns() const { return max_ns_; }

    // The upper bound of the bucket that holds this share (0 to 1) of the calls; 0 without calls.
    uint64_t percentile_ns(double share) const {
        const double wanted = share * static_cast<double>(count_);
        uint64_t seen = 0;
        for (std::size_t i = 0; i < buckets_.size(); ++i) {
            seen += buckets_[i];
            if (count_ && static_cast<double>(seen) >= wanted)
                return upper_bound(i) < max_ns_ ? upper_bound(i) : max_ns_;
        }
        return max_ns_;
    }

  private:
    // The two bits below the leading one choose the quarter.
    static std::size_t bucket(uint64_t ns) {
        if (ns < 4) return ns;
        const auto octave = static_cast<std::size_t>(std::bit_width(ns)) - 1;
        return octave * 4 + ((ns >> (octave - 2)) & 3u);
    }
    static uint64_t upper_bound(std::size_t index) {
        if (index < 8) return index;
        const std::size_t octave = index / 4;
        return ((4 + index % 4 + 1) << (octave - 2)) - 1;
    }

    std::array<uint64_t, 256> buckets_{};
    uint64_t count_ = 0;
    uint64_t max_ns_ = 0;
};

}  // namespace epochcast::slurm

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// When the units of one class become free, as a plan fills them.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace epochcast {

// Takes `units` for a run that may start at release_s, and gives its start. `free_s` is sorted,
// stays so, and has at least `units` entries. The run starts when so many are free, at release_s at
// the earliest; of several that are free by then it takes those that became free last, so that
// those idle before stay usable. The units taken become free at start + run_s.
inline double reserve(std::span<double> free_s,
                      std::uint32_t units,
                      double release_s,
                      double run_s) {
    assert(units >= 1 && units <= free_s.size());
    std::size_t first = 0;
    double start_s = free_s[units - 1];
    if (start_s < release_s) {
        start_s = release_s;
        std::size_t ready = units;
        while (ready < free_s.size() && free_s[ready] <= release_s) ++ready;
        first = ready - units;
    }
    const double end_s = start_s + run_s;
    std::size_t next = first + units;
    while (next < free_s.size() && free_s[next] < end_s) {
        free_s[next - units] = free_s[next];
        ++next;
    }
    for (std::size_t i = next - units; i < next; ++i) free_s[i] = end_s;
    return start_s;
}

}  // namespace epochcast

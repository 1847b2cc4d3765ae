// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/durations.hpp"

#include <algorithm>

namespace epochcast {

bool Durations::accepts(double seconds) {
    constexpr std::size_t enough = 3;
    constexpr double least_part = 0.01;
    if (!(seconds > 0)) return false;
    const std::size_t held = std::min(count_, recent_.size());
    if (held >= enough) {
        auto sorted = recent_;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(held / 2);
        std::nth_element(
            sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(held));
        if (seconds < least_part * *middle) return false;
    }
    recent_[count_ % recent_.size()] = seconds;
    ++count_;
    last_s_ = seconds;
    return true;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/idle_profile.hpp"

#include <cassert>
#include <iterator>
#include <limits>

namespace epochcast::simulate {

double IdleProfile::earliest(std::uint32_t devices, double duration_s) const {
    double start_s = std::numeric_limits<double>::infinity();
    bool is_open = false;
    for (const auto& [time_s, idle] : idle_) {
        if (is_open && time_s >= start_s + duration_s) return start_s;
        if (idle < devices) {
            is_open = false;
        } else if (!is_open) {
            is_open = true;
            start_s = time_s;
        }
    }
    return is_open ? start_s : std::numeric_limits<double>::infinity();
}

std::map<double, std::uint32_t>::iterator IdleProfile::step_at(double time_s) {
    const auto after = idle_.upper_bound(time_s);
    assert(after != idle_.begin());
    const auto before = std::prev(after);
    return before->first == time_s ? before : idle_.emplace_hint(after, time_s, before->second);
}

void IdleProfile::take(double start_s, std::uint32_t devices, double duration_s) {
    const auto first = step_at(start_s);
    const auto last = step_at(start_s + duration_s);
    for (auto step = first; step != last; ++step) {
        assert(step->second >= devices);
        step->second -= devices;
    }
}

}  // namespace epochcast::simulate

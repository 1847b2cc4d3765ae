// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/log.hpp"

#include <algorithm>

namespace epochcast {

bool EpochLog::ended() const {
    return std::ranges::any_of(events, [](const LogEvent& e) { return e.kind == EventKind::end; });
}

double EpochLog::startup_s() const {
    const auto first = std::ranges::find(rows, unit_model_job, &EpochRecord::unit);
    if (first == rows.end() || first->start_ns < header.start_ns) {
        return absent;
    }
    return static_cast<double>(first->start_ns - header.start_ns) * 1e-9;
}

}  // namespace epochcast

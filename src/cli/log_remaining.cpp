// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/log_remaining.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cli/words.hpp"
#include "core/forecast/remaining.hpp"

namespace epochcast {

namespace {

bool may_be_running(const EpochLog& log) {
    return !log.ended() && log.header.declared_epochs.has_value();
}

// Seconds since the running epoch began.
double in_epoch_s(const EpochLog& log,
                  const std::vector<EpochRecord>& rows,
                  std::int64_t now_unix_s) {
    double began_s = static_cast<double>(log.header.start_ns) / 1e9;
    if (!rows.empty()) {
        const EpochRecord& last = rows.back();
        began_s = static_cast<double>(last.start_ns) / 1e9;
        const bool has_ended = (last.flags & epoch_partial) == 0;
        if (has_ended && std::isfinite(last.wall_s)) began_s += last.wall_s;
    }
    return std::max(0.0, static_cast<double>(now_unix_s) - began_s);
}

std::optional<Remaining> remaining_of(const EpochLog& log, std::int64_t now_unix_s) {
    std::vector<EpochRecord> rows;
    std::ranges::copy_if(log.rows, std::back_inserter(rows), [](const EpochRecord& row) {
        return row.unit == unit_model_job;
    });
    return forecast_remaining(
        rows, *log.header.declared_epochs, in_epoch_s(log, rows, now_unix_s), nullptr);
}

}  // namespace

std::string remaining_text(const EpochLog& log, std::int64_t now_unix_s) {
    if (!may_be_running(log)) return {};
    const auto remaining = remaining_of(log, now_unix_s);
    if (!remaining) return "not known before an epoch after the warm-up has ended";
    if (remaining->epochs == 0) return "no epoch: all that were declared have ended";
    const std::string epochs = plural(remaining->epochs, "epoch");
    if (remaining->is_stalled) {
        return epochs +
               "; the running one takes over 5 times as long as expected: it hangs, or the job "
               "was killed";
    }
    return epochs + ", " + duration_cell(remaining->time_s) + " (" +
           interval_cell(remaining->low_s, remaining->high_s) + "), " + remaining->basis;
}

Json remaining_json(const EpochLog& log, std::int64_t now_unix_s) {
    if (!may_be_running(log)) return {};
    const auto remaining = remaining_of(log, now_unix_s);
    if (!remaining) return {};
    return {{"epochs", remaining->epochs},
            {"time_s", json_number(remaining->time_s)},
            {"low_s", json_number(remaining->low_s)},
            {"high_s", json_number(remaining->high_s)},
            {"is_stalled", remaining->is_stalled},
            {"basis", remaining->basis}};
}

}  // namespace epochcast

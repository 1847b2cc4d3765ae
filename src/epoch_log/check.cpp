// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// check_log(): what a scan found, and what its rows say against each other.

#include <cmath>
#include <utility>

#include "epoch_log/plausible.hpp"
#include "epoch_log/reader.hpp"
#include "epoch_log/scan.hpp"

namespace epochcast {
namespace {

constexpr std::size_t max_row_findings = 20;  // of one file; the rest are counted

void check_rows(const EpochLog& log, std::vector<std::string>& findings) {
    std::size_t bad_rows = 0;
    for (std::size_t i = 0; i < log.rows.size(); ++i) {
        const EpochRecord& row = log.rows[i];
        auto reason = implausibility(row);
        const auto nodes = static_cast<std::int64_t>(log.header.nodes.size());
        if (!reason && row.unit >= nodes) {
            reason = "unit is " + std::to_string(row.unit) + ", but /nodes has " +
                     std::to_string(nodes) + " rows";
        }
        if (!reason && row.start_ns < log.header.start_ns) {
            reason = "it starts before the model job";
        }
        if (reason && ++bad_rows <= max_row_findings) {
            findings.push_back("row " + std::to_string(i) + " of /epochs (epoch " +
                               std::to_string(row.epoch) + "): " + *reason);
        }
    }
    if (bad_rows > max_row_findings) {
        findings.push_back("and " + std::to_string(bad_rows - max_row_findings) +
                           " more such rows of /epochs");
    }
}

// The totals are those of the first whole epochs; while the log is written, the last may be
// missing.
void check_totals(const EpochLog& log, std::vector<std::string>& findings) {
    std::uint64_t whole_epochs = 0;
    double expected_s = 0;
    for (const EpochRecord& row : log.rows) {
        if (row.unit != unit_model_job || (row.flags & (epoch_partial | epoch_generated)) != 0) {
            continue;
        }
        expected_s += whole_epochs < log.totals.total_epochs ? row.wall_s : 0;
        ++whole_epochs;
    }
    const bool may_lag = !log.ended() && log.totals.total_epochs < whole_epochs;
    if (log.totals.total_epochs != whole_epochs && !may_lag) {
        findings.push_back("total_epochs is " + std::to_string(log.totals.total_epochs) +
                           ", but /epochs has " + std::to_string(whole_epochs) + " whole epochs");
        return;
    }
    if (!(std::abs(log.totals.total_training_time_s - expected_s) <= 1e-6 * (1 + expected_s))) {
        findings.push_back("total_training_time_s is " +
                           std::to_string(log.totals.total_training_time_s) +
                           ", but its epochs sum up to " + std::to_string(expected_s));
    }
}

void check_events(const EpochLog& log, std::vector<std::string>& findings) {
    if (log.events.empty() || (log.events.front().kind != EventKind::start &&
                               log.events.front().kind != EventKind::resume)) {
        findings.emplace_back("/events does not begin with a start or resume event");
    }
}

}  // namespace

Result<std::vector<std::string>> check_log(const std::filesystem::path& path) {
    Result<LogScan> scan = scan_log(path);
    if (!scan) {
        return scan.error();
    }
    std::vector<std::string> findings = std::move(scan.value().problems);
    // Where something could not be read, the rest does not fit together for that reason alone.
    if (findings.empty()) {
        const EpochLog& log = scan.value().log;
        if (scan.value().unwritten_rows > 0) {
            findings.push_back("the last " + std::to_string(scan.value().unwritten_rows) +
                               " rows of /epochs were never written (a full disk or a truncated "
                               "copy); the rows before them are used");
        }
        check_rows(log, findings);
        check_totals(log, findings);
        check_events(log, findings);
    }
    return findings;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "history/archive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace epochcast {
namespace {

// Longer waits between start and first epoch come from a clock that was set, not from a start-up.
constexpr double max_startup_s = 30.0 * 24 * 3600;

bool is_whole(const EpochRecord& record) { return (record.flags & epoch_partial) == 0; }

}  // namespace

Archive::Identity Archive::identity(const LogHeader& header) {
    return {header.uid, header.cluster, header.job_id, header.model_job, header.restart};
}

void Archive::take(const Segment& segment) {
    std::vector<Log*> logs;
    for (const LogPart& part : segment.parts) {
        Log& log = logs_[identity(part.header)];
        // A part without an epoch of the model job does not know the start-up time yet.
        const double startup_s = std::isnan(part.startup_s) ? log.part.startup_s : part.startup_s;
        log.part = part;
        log.part.startup_s = startup_s;
        std::uint64_t& end = log.covered[part.first_row];
        end = std::max(end, part.end_row);
        logs.push_back(&log);
    }
    for (const KeptRow& row : segment.rows) {
        logs[row.part]->rows.emplace(row.row, row.record);
    }
}

std::uint64_t Archive::known_rows(const LogHeader& header) const {
    const auto log = logs_.find(identity(header));
    std::uint64_t known = 0;
    if (log == logs_.end()) {
        return known;
    }
    for (const auto& [first, end] : log->second.covered) {
        if (first > known) {
            break;
        }
        known = std::max(known, end);
    }
    return known;
}

std::vector<Archive::Execution> Archive::executions(Logs::const_iterator begin,
                                                    Logs::const_iterator end) {
    std::vector<Execution> counted;
    std::map<std::uint64_t, Execution> of_run;  // by epoch
    const auto end_run = [&] {
        for (const auto& [epoch, execution] : of_run) {
            counted.push_back(execution);
        }
        of_run.clear();
    };
    const LogHeader* previous = nullptr;
    for (auto entry = begin; entry != end; ++entry) {
        const Log& log = entry->second;
        const LogHeader& header = log.part.header;
        const bool is_same_model_job = previous != nullptr && previous->uid == header.uid &&
                                       previous->cluster == header.cluster &&
                                       previous->job_id == header.job_id &&
                                       previous->model_job == header.model_job;
        if (!is_same_model_job || !log.part.resumed) {
            end_run();
        }
        previous = &header;
        for (const auto& [number, record] : log.rows) {
            if (is_whole(record)) {
                of_run[record.epoch] = {&log, &record};
            } else {
                counted.push_back({&log, &record});
            }
        }
    }
    end_run();
    return counted;
}

std::uint64_t Archive::whole_epochs(const LogHeader& header) const {
    LogHeader first = header;
    first.restart = 0;
    LogHeader last = header;
    last.restart = std::numeric_limits<std::uint32_t>::max();
    const std::vector<Execution> all =
        executions(logs_.lower_bound(identity(first)), logs_.upper_bound(identity(last)));
    return static_cast<std::uint64_t>(std::ranges::count_if(
        all, [](const Execution& execution) { return is_whole(*execution.record); }));
}

std::vector<Series> Archive::series() const {
    using Key = std::tuple<TaskKey, TaskAttributes, Placement>;
    std::map<Key, Series> by_key;
    const auto series_of = [&](const LogPart& part) -> Series& {
        const Key key{part.header.task, part.header.attributes, part.placement};
        Series& series = by_key[key];
        std::tie(series.task, series.attributes, series.placement) = key;
        return series;
    };
    for (const auto& [key, log] : logs_) {
        const double startup_s = log.part.startup_s;
        if (startup_s >= 0 && startup_s <= max_startup_s) {
            series_of(log.part).startups_s.push_back(startup_s);
        }
    }
    for (const Execution& execution : executions(logs_.begin(), logs_.end())) {
        series_of(execution.log->part).records.push_back(*execution.record);
    }
    std::vector<Series> sorted;
    for (auto& [key, series] : by_key) {
        std::ranges::stable_sort(series.records, {}, &EpochRecord::start_ns);
        if (!series.records.empty()) {
            sorted.push_back(std::move(series));
        }
    }
    return sorted;
}

}  // namespace epochcast

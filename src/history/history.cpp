// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "history/history.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/text.hpp"
#include "epoch_log/plausible.hpp"
#include "epoch_log/reader.hpp"
#include "history/archive.hpp"
#include "history/folder.hpp"
#include "history/segment.hpp"

namespace epochcast {
namespace {

struct Loaded {
    Archive archive;
    std::vector<std::string> problems;
    std::uint64_t last_number = 0;
};

Result<Loaded> load(const std::filesystem::path& dir) {
    const auto segments = list_segments(dir);
    if (!segments) {
        return segments.error();
    }
    Loaded loaded;
    for (const auto& [number, path] : segments.value()) {
        loaded.last_number = number;
        const Result<Segment> segment = read_segment(path);
        if (segment) {
            loaded.archive.take(segment.value());
        } else {
            loaded.problems.push_back("history segment left out: " + segment.error().message);
        }
    }
    return loaded;
}

// A sentence without its subject, if the nodes are no single class.
Result<Placement> placement_of(const LogHeader& header, const ClassOfHost& class_of_host) {
    std::set<std::string> hosts;
    std::set<std::string> classes;
    for (const LogNode& node : header.nodes) {
        const std::optional<std::string> node_class = class_of_host(node.host);
        if (!node_class) {
            return Error{ErrorKind::bad_input,
                         "its host " + epochcast::quoted(node.host) + " belongs to no node class"};
        }
        hosts.insert(node.host);
        classes.insert(*node_class);
    }
    if (classes.size() != 1) {
        std::string names;
        for (const std::string& name : classes) {
            names += (names.empty() ? "" : ", ") + name;
        }
        return Error{
            ErrorKind::bad_input,
            "its hosts belong to several node classes (" + names + "), which no forecast can use"};
    }
    return Placement{*classes.begin(), static_cast<std::uint32_t>(hosts.size()), 0};
}

bool begins_with_resume(const EpochLog& log) {
    return !log.events.empty() && log.events.front().kind == EventKind::resume;
}

// The rows of a log that the history does not know, as a segment of their own.
Segment new_rows(EpochLog log, const Placement& placement, std::uint64_t known_rows) {
    Segment segment;
    LogPart part;
    part.placement = placement;
    part.resumed = begins_with_resume(log);
    part.startup_s = log.startup_s();
    part.first_row = std::min<std::uint64_t>(known_rows, log.rows.size());
    part.end_row = log.rows.size();
    for (std::uint64_t row = part.first_row; row < part.end_row; ++row) {
        if (log.rows[row].unit == unit_model_job) {
            segment.rows.push_back({0, row, log.rows[row]});
        }
    }
    part.header = std::move(log.header);
    part.header.nodes.clear();
    segment.parts.push_back(std::move(part));
    return segment;
}

// Removes rows that cannot be true and says so in one sentence.
void leave_out(Segment& segment, const std::filesystem::path& path, Intake& intake) {
    std::string first_reason;
    const auto removed = std::erase_if(segment.rows, [&](const KeptRow& row) {
        const auto reason = implausibility(row.record);
        if (reason && first_reason.empty()) {
            first_reason = "epoch " + std::to_string(row.record.epoch) + ": " + *reason;
        }
        return reason.has_value();
    });
    if (removed > 0) {
        intake.left_out.push_back(epochcast::quoted(path.native(), 400) + ": " +
                                  std::to_string(removed) + " rows left out, the first is " +
                                  first_reason);
    }
}

// Moves one log's part behind those already there.
void join(Segment& all, Segment one) {
    for (KeptRow& row : one.rows) {
        row.part += all.parts.size();
    }
    std::ranges::move(one.rows, std::back_inserter(all.rows));
    std::ranges::move(one.parts, std::back_inserter(all.parts));
}

std::uint64_t whole_epochs(const EpochLog& log) {
    return static_cast<std::uint64_t>(std::ranges::count_if(log.rows, [](const EpochRecord& row) {
        return row.unit == unit_model_job && (row.flags & epoch_partial) == 0 &&
               !implausibility(row);
    }));
}

// What the log adds to the archive, which then knows it.
Segment take_log(const std::filesystem::path& path,
                 const ClassOfHost& class_of_host,
                 Archive& archive,
                 Intake& intake) {
    Result<EpochLog> log = read_log(path);
    if (!log) {
        intake.refused.push_back(log.error().message);
        return {};
    }
    const Result<Placement> placement = placement_of(log.value().header, class_of_host);
    if (!placement) {
        intake.refused.push_back(epochcast::quoted(path.native(), 400) + ": " +
                                 placement.error().message);
        return {};
    }
    const LogHeader header = log.value().header;
    const std::uint64_t offered = whole_epochs(log.value());
    const std::uint64_t before = archive.whole_epochs(header);
    const std::uint64_t known_rows = archive.known_rows(header);
    Segment segment = new_rows(std::move(log).value(), placement.value(), known_rows);
    leave_out(segment, path, intake);
    if (segment.parts[0].first_row < segment.parts[0].end_row) {
        archive.take(segment);
        ++intake.logs;
    } else {
        segment = {};
    }
    const std::uint64_t gained = std::min(offered, archive.whole_epochs(header) - before);
    intake.new_epochs += gained;
    intake.known_epochs += offered - gained;
    return segment;
}

}  // namespace

Result<History> History::open(const std::filesystem::path& dir) {
    Result<Loaded> loaded = load(dir);
    if (!loaded) {
        return loaded.error();
    }
    History history(dir);
    history.show(loaded.value().archive);
    history.problems_ = std::move(loaded.value().problems);
    return history;
}

Result<Intake> History::add(std::span<const std::filesystem::path> logs,
                            const ClassOfHost& class_of_host) {
    const Result<FolderLock> lock = FolderLock::take(dir_);
    if (!lock) {
        return lock.error();
    }
    Result<Loaded> loaded = load(dir_);
    if (!loaded) {
        return loaded.error();
    }
    Archive& archive = loaded.value().archive;
    Intake intake;
    Segment segment;
    for (const std::filesystem::path& path : logs) {
        join(segment, take_log(path, class_of_host, archive, intake));
    }
    if (!segment.parts.empty()) {
        const auto path = segment_path(dir_, loaded.value().last_number + 1);
        if (Result<void> written = write_segment(path, segment); !written) {
            return written.error();
        }
    }
    show(archive);
    problems_ = std::move(loaded.value().problems);
    return intake;
}

void History::show(const Archive& archive) { series_ = archive.series(); }

const std::vector<Series>& History::series() const { return series_; }

const std::vector<std::string>& History::problems() const { return problems_; }

}  // namespace epochcast

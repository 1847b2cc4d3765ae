// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/log_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "cli/log_remaining.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

std::string flags_text(std::uint32_t flags) {
    std::string text;
    const auto append = [&](std::uint32_t bit, const char* name) {
        if ((flags & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
    };
    append(epoch_warm_up, "warm-up");
    append(epoch_resumed, "resumed");
    append(epoch_partial, "partial");
    append(epoch_generated, "generated");
    return text;
}

const char* event_name(EventKind kind) {
    switch (kind) {
        case EventKind::start:
            return "start";
        case EventKind::end:
            return "end";
        case EventKind::failure:
            return "failure";
        case EventKind::resume:
            return "resume";
        case EventKind::resize:
            return "resize";
    }
    return "unknown";
}

std::string nodes_text(const std::vector<LogNode>& nodes) {
    constexpr std::size_t most = 4;
    std::string text = plural(nodes.size(), "node");
    for (std::size_t i = 0; i < std::min(nodes.size(), most); ++i) {
        text += fmt::format("{}{} ({}, {})",
                            i == 0 ? ": " : "; ",
                            plain(nodes[i].host, 40),
                            plural(nodes[i].cpus, "CPU"),
                            plural(nodes[i].workers, "worker"));
    }
    return nodes.size() > most ? text + "; ..." : text;
}

std::string end_text(const EpochLog& log) {
    for (const LogEvent& event : log.events) {
        if (event.kind != EventKind::end) continue;
        const std::string why = event.text.empty() ? "" : " (" + plain(event.text, 127) + ")";
        return "ended " + time_cell(event.time_ns) + why;
    }
    return "has no end: still running, or killed";
}

void append_line(std::string& text, const char* label, const std::string& value) {
    if (value.empty()) return;
    const auto lines = wrapped(value, Table::width - 14);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += fmt::format("  {:<10}  {}\n", i == 0 ? label : "", lines[i]);
    }
}

std::string header_text(const EpochLog& log) {
    const LogHeader& header = log.header;
    std::string text;
    append_line(text, "task", plain(header.task.name, 128) + " of " + plain(header.task.scope, 64));
    append_line(text, "trained", attributes_text(header.attributes));
    append_line(text,
                "job",
                fmt::format("{} on {}, model job {}, part {}",
                            plain(header.job_id),
                            plain(header.cluster),
                            plain(header.model_job),
                            header.restart));
    append_line(text, "nodes", nodes_text(header.nodes));
    append_line(text, "time", "started " + time_cell(header.start_ns) + ", " + end_text(log));
    append_line(text, "writer", plain(header.writer));
    append_line(text, "note", plain(header.note, 200));
    return text;
}

std::string totals_text(const EpochLog& log) {
    const LogTotals& totals = log.totals;
    std::string text = plural(totals.total_epochs, "whole epoch");
    if (log.header.declared_epochs) text += fmt::format(" of {}", *log.header.declared_epochs);
    text += ", training time " + duration_cell(totals.total_training_time_s);
    if (totals.total_epochs > 0) {
        const double mean = totals.total_training_time_s / static_cast<double>(totals.total_epochs);
        text += ", mean " + duration_cell(mean) + " per epoch";
    }
    if (std::isfinite(log.startup_s())) text += ", start-up " + duration_cell(log.startup_s());
    return text;
}

Table epoch_table(const EpochLog& log, bool with_units) {
    Table table;
    for (const char* heading : {"epoch",
                                "unit",
                                "time",
                                "CPU",
                                "memory",
                                "read",
                                "written",
                                "FLOP",
                                "FLOP/s",
                                "samples",
                                "loss"}) {
        if (with_units || std::string_view(heading) != "unit") table.column(heading);
    }
    table.column("flags", Table::Align::left);
    for (const EpochRecord& row : log.rows) {
        if (!with_units && row.unit != unit_model_job) continue;
        std::vector<std::string> cells = {std::to_string(row.epoch)};
        if (with_units) cells.push_back(row.unit < 0 ? "all" : std::to_string(row.unit));
        cells.insert(cells.end(),
                     {duration_cell(row.wall_s),
                      duration_cell(row.cpu_s),
                      bytes_cell(row.peak_memory_bytes),
                      bytes_cell(row.disk_read_bytes),
                      bytes_cell(row.disk_written_bytes),
                      flop_cell(row.flop, ""),
                      flop_cell(row.flop_rate, ""),
                      count_cell(row.samples),
                      number_cell(row.loss),
                      flags_text(row.flags)});
        table.row(std::move(cells));
    }
    return table;
}

// The newest whole-job row of each epoch of each log.
using RowsByEpoch = std::map<std::uint64_t, std::vector<const EpochRecord*>>;

RowsByEpoch rows_by_epoch(std::span<const NamedLog> logs) {
    RowsByEpoch rows;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        for (const EpochRecord& row : logs[i].log.rows) {
            if (row.unit != unit_model_job) continue;
            auto& of_epoch = rows[row.epoch];
            of_epoch.resize(logs.size(), nullptr);
            of_epoch[i] = &row;
        }
    }
    return rows;
}

std::string group_table(std::span<const NamedLog> logs, std::size_t first_number) {
    Table table;
    table.column("epoch");
    table.group("", 1);
    for (std::size_t i = 0; i < logs.size(); ++i) {
        table.column("loss");
        table.column("time");
        table.group(fmt::format("[{}]", first_number + i), 2);
    }
    for (const auto& [epoch, rows] : rows_by_epoch(logs)) {
        std::vector<std::string> cells = {std::to_string(epoch)};
        for (const EpochRecord* row : rows) {
            cells.push_back(row == nullptr ? "-" : number_cell(row->loss));
            cells.push_back(row == nullptr ? "-" : duration_cell(row->wall_s));
        }
        table.row(std::move(cells));
    }
    std::vector<std::string> totals = {"total"};
    for (const NamedLog& named : logs) {
        totals.emplace_back("");
        totals.push_back(duration_cell(named.log.totals.total_training_time_s));
    }
    table.row(std::move(totals));
    return table.text();
}

Json row_json(const EpochRecord& row) {
    return {{"epoch", row.epoch},
            {"unit", row.unit},
            {"flags", flags_text(row.flags)},
            {"start_unix_ns", row.start_ns},
            {"wall_s", json_number(row.wall_s)},
            {"cpu_s", json_number(row.cpu_s)},
            {"peak_memory_bytes", json_count(row.peak_memory_bytes)},
            {"disk_read_bytes", json_count(row.disk_read_bytes)},
            {"disk_written_bytes", json_count(row.disk_written_bytes)},
            {"syscall_read_bytes", json_count(row.syscall_read_bytes)},
            {"syscall_written_bytes", json_count(row.syscall_written_bytes)},
            {"flop", json_number(row.flop)},
            {"flop_rate_flop_per_s", json_number(row.flop_rate)},
            {"samples", json_count(row.samples)},
            {"steps", json_count(row.steps)},
            {"loss", json_number(row.loss)},
            {"device_busy_s", json_number(row.device_busy_s)},
            {"device_memory_bytes", json_count(row.device_memory_bytes)}};
}

}  // namespace

std::string log_text(const NamedLog& named, bool with_units, std::int64_t now_unix_s) {
    std::string text = plain(named.path.string(), 400) + "\n" + header_text(named.log) + "\n";
    text += named.log.rows.empty() ? "  no epoch yet\n" : epoch_table(named.log, with_units).text();
    text += "\n";
    append_line(text, "totals", totals_text(named.log));
    append_line(text, "remaining", remaining_text(named.log, now_unix_s));
    return text;
}

std::string side_by_side_text(std::span<const NamedLog> logs) {
    std::string text;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        const LogHeader& header = logs[i].log.header;
        text += fmt::format("  [{}]  {}\n", i + 1, plain(logs[i].path.string(), 400));
        std::string what = plain(header.task.name, 128) + ", job " + plain(header.job_id);
        if (!header.note.empty()) what += ", " + plain(header.note, 200);
        for (const std::string& line : wrapped(what, Table::width - 7))
            text += "       " + line + "\n";
    }
    constexpr std::size_t logs_per_table = 4;  // two columns of 9 and a gap each fit 100 columns
    for (std::size_t i = 0; i < logs.size(); i += logs_per_table) {
        const std::size_t count = std::min(logs_per_table, logs.size() - i);
        text += "\n" + group_table(logs.subspan(i, count), i + 1);
    }
    return text;
}

Json log_json(const NamedLog& named, std::int64_t now_unix_s) {
    const LogHeader& header = named.log.header;
    Json nodes = Json::array();
    for (const LogNode& node : header.nodes) {
        nodes.push_back({{"host", node.host}, {"cpus", node.cpus}, {"workers", node.workers}});
    }
    Json rows = Json::array();
    for (const EpochRecord& row : named.log.rows) rows.push_back(row_json(row));
    Json events = Json::array();
    for (const LogEvent& event : named.log.events) {
        events.push_back({{"kind", event_name(event.kind)},
                          {"time_unix_ns", event.time_ns},
                          {"epoch", event.epoch},
                          {"text", event.text}});
    }
    return {{"path", named.path.string()},
            {"cluster", header.cluster},
            {"job_id", header.job_id},
            {"model_job", header.model_job},
            {"restart", header.restart},
            {"uid", header.uid},
            {"task", json_task(header.task)},
            {"attributes", json_attributes(header.attributes)},
            {"declared_epochs", json_count(header.declared_epochs.value_or(absent_count))},
            {"start_unix_ns", header.start_ns},
            {"startup_s", json_number(named.log.startup_s())},
            {"ended", named.log.ended()},
            {"remaining", remaining_json(named.log, now_unix_s)},
            {"writer", header.writer},
            {"note", header.note},
            {"nodes", nodes},
            {"total_epochs", named.log.totals.total_epochs},
            {"total_training_time_s", named.log.totals.total_training_time_s},
            {"rows", rows},
            {"events", events}};
}

}  // namespace epochcast

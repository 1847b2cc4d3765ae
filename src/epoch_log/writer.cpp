// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/writer.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "epoch_log/log_path.hpp"
#include "epoch_log/schema.hpp"
#include "h5/attribute.hpp"
#include "h5/dataset.hpp"
#include "h5/file.hpp"

namespace epochcast {

// The data sets are declared after the file, so that they close before it.
struct LogWriter::File {
    LogHeader header;
    h5::File file;
    h5::DataSet epochs;
    h5::DataSet events;
    h5::DataSet totals;
    LogTotals sums = {};
    pid_t owner = getpid();
};

namespace {

Result<void> check_header(LogHeader& header) {
    for (const schema::TextField& field : schema::text_fields()) {
        const std::string& text = field.of(header);
        if (const auto reason = objection(text, field.rule, field.longest)) {
            return Error{ErrorKind::usage,
                         std::string("epoch log: ") + field.name + " " + epochcast::quoted(text) +
                             " " + *reason};
        }
        if (field.rule == TextRule::free) {
            field.of(header) = made_plain(text, field.longest);
        }
    }
    constexpr std::size_t longest_host = schema::longest_in(schema::NodeRow{}.host);
    for (const LogNode& node : header.nodes) {
        if (const auto reason = objection(node.host, TextRule::name, longest_host)) {
            return Error{ErrorKind::usage,
                         "epoch log: host " + epochcast::quoted(node.host) + " " + *reason};
        }
    }
    if (header.nodes.empty() || header.nodes.size() > schema::max_node_rows) {
        return Error{ErrorKind::usage,
                     "epoch log: a model job has 1 to " + std::to_string(schema::max_node_rows) +
                         " nodes, not " + std::to_string(header.nodes.size())};
    }
    return {};
}

Result<void> write_text(const h5::File& file,
                        const char* name,
                        std::size_t longest,
                        const std::string& text) {
    const h5::Type type = h5::Type::text(longest);
    std::vector<char> value(type.bytes());
    schema::store_text(text, value);
    return h5::write_attribute(file, name, type, value.data());
}

Result<void> write_attributes(const h5::File& file, LogHeader& header) {
    Result<void> written = write_text(file, "schema", schema::name_bytes, schema::name);
    const h5::Type u64 = h5::Type::u64();
    if (written) {
        written = h5::write_attribute(file, "schema_version", u64, &schema::version);
    }
    for (const schema::TextField& field : schema::text_fields()) {
        if (written) {
            written = write_text(file, field.name, field.longest, field.of(header));
        }
    }
    for (const schema::NumberField& field : schema::number_fields()) {
        const std::uint64_t value = field.load(header);
        if (written) {
            written = h5::write_attribute(file, field.name, u64, &value);
        }
    }
    return written;
}

Result<void> write_nodes(const h5::File& file, const LogHeader& header) {
    std::vector<schema::NodeRow> rows(header.nodes.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        schema::store_text(header.nodes[i].host, rows[i].host);
        rows[i].cpus = header.nodes[i].cpus;
        rows[i].workers = header.nodes[i].workers;
    }
    Result<h5::DataSet> nodes =
        h5::DataSet::create_fixed(file, schema::nodes, schema::node_type(), rows.size());
    return nodes ? nodes.value().write(0, rows.size(), rows.data()) : nodes.error();
}

Result<void> append_event(h5::DataSet& events, const LogEvent& event) {
    schema::EventRow row{event.time_ns, event.epoch, static_cast<std::uint64_t>(event.kind), {}};
    schema::store_text(made_plain(event.text, schema::longest_in(row.text)), row.text);
    return events.append(&row);
}

std::uint64_t now_ns() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::optional<std::string> objection_to(const EpochRecord& record) {
    if (record.start_ns == 0) {
        return "start_ns is 0, which marks a row that was never written";
    }
    // Total training time is mandatory, so its parts are.
    if (record.unit == unit_model_job && !(std::isfinite(record.wall_s) && record.wall_s >= 0)) {
        return "wall_s of a model job's own row must be a number from 0 up";
    }
    return std::nullopt;
}

}  // namespace

Result<LogWriter> LogWriter::create(const std::filesystem::path& dir,
                                    LogHeader header,
                                    bool resumed) {
    if (Result<void> checked = check_header(header); !checked) {
        return checked.error();
    }
    const Result<std::filesystem::path> path = reserve_log(dir, header);
    if (!path) {
        return path.error();
    }
    Result<LogWriter> writer = create_in(path.value(), std::move(header), resumed);
    if (!writer) {
        std::error_code ignored;
        std::filesystem::remove(path.value(), ignored);  // ours, and without content
    }
    return writer;
}

Result<LogWriter> LogWriter::create_in(const std::filesystem::path& path,
                                       LogHeader header,
                                       bool resumed) {
    Result<h5::File> file = h5::File::create(path);
    if (!file) {
        return file.error();
    }
    Result<void> written = write_attributes(file.value(), header);
    if (written) {
        written = write_nodes(file.value(), header);
    }
    if (!written) {
        return written.error();
    }
    Result<h5::DataSet> epochs = h5::DataSet::create_growing(
        file.value(), schema::epochs, schema::epoch_type(), schema::chunk_rows);
    Result<h5::DataSet> events = h5::DataSet::create_growing(
        file.value(), schema::events, schema::event_type(), schema::chunk_rows);
    Result<h5::DataSet> totals =
        h5::DataSet::create_fixed(file.value(), schema::totals, schema::totals_type(), 1);
    for (const Result<h5::DataSet>* made : {&epochs, &events, &totals}) {
        if (!*made) {
            return made->error();
        }
    }
    const LogTotals none;
    written = totals.value().write(0, 1, &none);
    if (written) {
        const EventKind kind = resumed ? EventKind::resume : EventKind::start;
        written = append_event(events.value(), {kind, now_ns(), 0, ""});
    }
    if (written) {
        written = file.value().start_swmr();
    }
    if (written) {
        written = file.value().check_written();
    }
    if (!written) {
        return written.error();
    }
    return LogWriter(std::unique_ptr<File>(new File{std::move(header),
                                                    std::move(file).value(),
                                                    std::move(epochs).value(),
                                                    std::move(events).value(),
                                                    std::move(totals).value()}));
}

LogWriter::LogWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}
LogWriter::LogWriter(LogWriter&&) noexcept = default;
LogWriter& LogWriter::operator=(LogWriter&&) noexcept = default;
LogWriter::~LogWriter() = default;

Result<void> LogWriter::check_usable() const {
    if (file_->owner != getpid()) {
        return Error{ErrorKind::environment,
                     "cannot write " + epochcast::quoted(path().native(), 400) +
                         ": only the process that created it may"};
    }
    return file_->file.check_written();
}

Result<void> LogWriter::append(const EpochRecord& record) {
    if (const auto reason = objection_to(record)) {
        return Error{ErrorKind::usage,
                     "epoch " + std::to_string(record.epoch) + " is not logged: " + *reason};
    }
    Result<void> written = check_usable();
    if (written) {
        written = file_->epochs.append(&record);
    }
    if (!written) {
        return written;
    }
    const bool counts =
        record.unit == unit_model_job && (record.flags & (epoch_partial | epoch_generated)) == 0;
    if (counts) {
        file_->sums.total_epochs += 1;
        file_->sums.total_training_time_s += record.wall_s;
    }
    // The totals follow their rows: they never count one that is not in the file.
    written = file_->epochs.flush();
    if (written) {
        written = file_->file.check_written();
    }
    if (written && record.unit == unit_model_job) {
        written = file_->totals.write(0, 1, &file_->sums);
    }
    if (written && record.unit == unit_model_job) {
        written = file_->totals.flush();
    }
    return written ? file_->file.check_written() : written;
}

Result<void> LogWriter::append(const LogEvent& event) {
    Result<void> written = check_usable();
    if (written) {
        written = append_event(file_->events, event);
    }
    if (written) {
        written = file_->events.flush();
    }
    return written ? file_->file.check_written() : written;
}

const std::filesystem::path& LogWriter::path() const { return file_->file.path(); }

const LogHeader& LogWriter::header() const { return file_->header; }

std::filesystem::path default_log_dir(const std::string& submit_dir) {
    return std::filesystem::path(submit_dir.empty() ? "." : submit_dir) / "epochcast-logs";
}

}  // namespace epochcast

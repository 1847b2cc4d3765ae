// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/scan.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/text.hpp"
#include "epoch_log/schema.hpp"
#include "h5/attribute.hpp"
#include "h5/dataset.hpp"
#include "h5/file.hpp"

namespace epochcast {
namespace {

constexpr std::uint64_t rows_per_read = 4096;  // about half a megabyte of /epochs

// That this is an epoch log, and of the version known here.
Result<void> check_identity(const h5::File& file) {
    std::array<char, schema::name_bytes + 1> name{};
    const std::string path = epochcast::quoted(file.path().native(), 400);
    if (!h5::read_attribute(file, "schema", h5::Type::text(schema::name_bytes), name.data()) ||
        schema::load_text(name) != schema::name) {
        return Error{ErrorKind::bad_input,
                     path + " is HDF5, but no epoch log: its attribute 'schema' is not '" +
                         schema::name + "'"};
    }
    std::uint64_t version = 0;
    if (Result<void> read = h5::read_attribute(file, "schema_version", h5::Type::u64(), &version);
        !read) {
        return read.error();
    }
    if (version != schema::version) {
        return Error{ErrorKind::bad_input,
                     path + " has version " + std::to_string(version) +
                         " of the epoch log schema; this program reads version " +
                         std::to_string(schema::version)};
    }
    return {};
}

void scan_texts(const h5::File& file, LogScan& scan) {
    for (const schema::TextField& field : schema::text_fields()) {
        const h5::Type type = h5::Type::text(field.longest);
        std::vector<char> value(type.bytes());
        const Result<void> read = h5::read_attribute(file, field.name, type, value.data());
        if (!read) {
            scan.problems.push_back(read.error().message);
            continue;
        }
        std::string text = schema::load_text(value);
        if (const auto reason = objection(text, field.rule, field.longest)) {
            scan.problems.push_back(std::string("attribute '") + field.name + "' " +
                                    epochcast::quoted(text) + " " + *reason);
            continue;
        }
        field.of(scan.log.header) =
            field.rule == TextRule::free ? made_plain(text, field.longest) : std::move(text);
    }
}

void scan_numbers(const h5::File& file, LogScan& scan) {
    for (const schema::NumberField& field : schema::number_fields()) {
        std::uint64_t value = 0;
        const Result<void> read = h5::read_attribute(file, field.name, h5::Type::u64(), &value);
        if (!read) {
            scan.problems.push_back(read.error().message);
        } else if (!field.store(scan.log.header, value)) {
            scan.problems.push_back(std::string("attribute '") + field.name + "' is " +
                                    std::to_string(value) + ", more than 32 bits hold");
        }
    }
}

// Calls take(row) for each row of a data set, in order, until it returns false.
template <class Row, class Take>
Result<void> each_row(const h5::File& file,
                      const char* name,
                      const h5::Type& type,
                      std::uint64_t max_rows,
                      const Take& take) {
    Result<h5::DataSet> data_set = h5::DataSet::open(file, name, type, max_rows);
    if (!data_set) {
        return data_set.error();
    }
    const std::uint64_t rows = data_set.value().rows();
    std::vector<Row> block;
    for (std::uint64_t first = 0; first < rows; first += block.size()) {
        block.resize(std::min(rows_per_read, rows - first));
        Result<void> read = data_set.value().read(first, block.size(), block.data());
        if (!read || !std::all_of(block.begin(), block.end(), take)) {
            return read;
        }
    }
    return {};
}

void scan_nodes(const h5::File& file, LogScan& scan) {
    const auto take = [&](const schema::NodeRow& row) {
        const std::string host = schema::load_text(row.host);
        if (const auto reason = objection(host, TextRule::name, schema::longest_in(row.host))) {
            scan.problems.push_back("host " + epochcast::quoted(host) + " in /nodes " + *reason);
            return false;
        }
        scan.log.header.nodes.push_back({host, row.cpus, row.workers});
        return true;
    };
    const Result<void> read = each_row<schema::NodeRow>(
        file, schema::nodes, schema::node_type(), schema::max_node_rows, take);
    if (!read) {
        scan.problems.push_back(read.error().message);
    } else if (scan.log.header.nodes.empty()) {
        scan.problems.emplace_back("/nodes has no row");
    }
}

void scan_events(const h5::File& file, LogScan& scan) {
    const auto take = [&](const schema::EventRow& row) {
        if (row.time_ns == 0) {
            return false;  // never written
        }
        if (row.kind > static_cast<std::uint64_t>(EventKind::resize)) {
            scan.problems.push_back("/events has the unknown kind " + std::to_string(row.kind));
            return false;
        }
        scan.log.events.push_back(
            {static_cast<EventKind>(row.kind),
             row.time_ns,
             row.epoch,
             made_plain(schema::load_text(row.text), schema::longest_in(row.text))});
        return true;
    };
    const Result<void> read = each_row<schema::EventRow>(
        file, schema::events, schema::event_type(), schema::max_event_rows, take);
    if (!read) {
        scan.problems.push_back(read.error().message);
    }
}

void scan_epochs(const h5::File& file, LogScan& scan) {
    std::uint64_t claimed = 0;
    bool is_written = true;
    const auto take = [&](const EpochRecord& row) {
        ++claimed;
        // Rows behind one that was never written wait for it: their number may not change later.
        is_written = is_written && row.start_ns != 0;
        if (is_written) {
            scan.log.rows.push_back(row);
        }
        return true;
    };
    const Result<void> read = each_row<EpochRecord>(
        file, schema::epochs, schema::epoch_type(), schema::max_epoch_rows, take);
    if (!read) {
        scan.problems.push_back(read.error().message);
    }
    scan.unwritten_rows = claimed - scan.log.rows.size();
}

void scan_totals(const h5::File& file, LogScan& scan) {
    std::uint64_t rows = 0;
    const auto take = [&](const LogTotals& row) {
        scan.log.totals = row;
        return ++rows == 1;
    };
    const Result<void> read =
        each_row<LogTotals>(file, schema::totals, schema::totals_type(), 1, take);
    if (!read) {
        scan.problems.push_back(read.error().message);
    } else if (rows != 1) {
        scan.problems.emplace_back("/totals has no row");
    }
}

Result<LogScan> scan_once(const std::filesystem::path& path) {
    const Result<h5::File> file = h5::File::open_to_read(path);
    if (!file) {
        return file.error();
    }
    if (Result<void> checked = check_identity(file.value()); !checked) {
        return checked.error();
    }
    LogScan scan;
    scan_texts(file.value(), scan);
    scan_numbers(file.value(), scan);
    scan_nodes(file.value(), scan);
    scan_totals(file.value(), scan);  // before the rows, so that a live log has those it counts
    scan_epochs(file.value(), scan);
    scan_events(file.value(), scan);
    return scan;
}

// A file that changed in the last 2 seconds may be one that its writer is just creating.
bool is_new(const std::filesystem::path& path) {
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(path, error);
    if (error) {
        return false;
    }
    const auto age = std::filesystem::file_time_type::clock::now() - changed;
    return age < std::chrono::seconds(2) && age > std::chrono::seconds(-2);
}

}  // namespace

Result<LogScan> scan_log(const std::filesystem::path& path) {
    Result<LogScan> scan = scan_once(path);
    for (int attempt = 0; attempt < 10; ++attempt) {
        const bool is_fine = scan && scan.value().problems.empty();
        const bool may_change = scan || scan.error().kind == ErrorKind::bad_input;
        if (is_fine || !may_change || !is_new(path)) {
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        scan = scan_once(path);
    }
    return scan;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "history/segment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include "core/text.hpp"
#include "epoch_log/plausible.hpp"
#include "epoch_log/schema.hpp"
#include "h5/attribute.hpp"
#include "h5/dataset.hpp"
#include "h5/file.hpp"
#include "history/part_rows.hpp"

namespace epochcast {
namespace {

using h5::Type;

constexpr char schema_name[32] = "epochcast.history_segment";
constexpr std::uint64_t schema_version = 1;
// What the file has bytes for bounds the rows as well, see DataSet::open().
constexpr std::uint64_t max_rows = 1ull << 32;

static_assert(sizeof(KeptRow) == 152, "KeptRow is stored as it is, without gaps");

Type kept_row_type() {
    const Type u64 = Type::u64(), record = schema::epoch_type();
    return Type::compound(sizeof(KeptRow),
                          {{"part", offsetof(KeptRow, part), u64},
                           {"row", offsetof(KeptRow, row), u64},
                           {"record", offsetof(KeptRow, record), record}});
}

Error refused(const char* what, const std::filesystem::path& path) {
    return {ErrorKind::environment,
            std::string("cannot ") + what + " " + epochcast::quoted(path.native(), 400) + ": " +
                std::generic_category().message(errno)};
}

Error bad(const std::filesystem::path& path, const std::string& finding) {
    return {ErrorKind::bad_input, epochcast::quoted(path.native(), 400) + " " + finding};
}

Result<void> write_rows(const h5::File& file,
                        const char* name,
                        const Type& type,
                        std::uint64_t count,
                        const void* rows) {
    Result<h5::DataSet> data_set = h5::DataSet::create_fixed(file, name, type, count);
    return data_set ? data_set.value().write(0, count, rows) : data_set.error();
}

// Data sets and file are closed when it returns.
Result<void> write_content(const std::filesystem::path& path, const Segment& segment) {
    Result<h5::File> file = h5::File::create(path);
    if (!file) {
        return file.error();
    }
    Result<void> written = h5::write_attribute(
        file.value(), "schema", Type::text(sizeof schema_name - 1), schema_name);
    if (written) {
        written = h5::write_attribute(file.value(), "schema_version", Type::u64(), &schema_version);
    }
    if (written) {
        const std::vector<char> parts = encode_parts(segment.parts);
        written =
            write_rows(file.value(), "parts", part_type(), segment.parts.size(), parts.data());
    }
    if (written) {
        written = write_rows(
            file.value(), "rows", kept_row_type(), segment.rows.size(), segment.rows.data());
    }
    const Result<void> closed = file.value().close();
    return written ? closed : written;
}

// Files and folders alike.
Result<void> sync(const std::filesystem::path& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return refused("open", path);
    }
    const bool is_synced = fsync(descriptor) == 0;
    const Error failure = is_synced ? Error{} : refused("write out", path);
    close(descriptor);
    if (!is_synced) {
        return failure;
    }
    return {};
}

Result<void> check_identity(const h5::File& file) {
    char name[sizeof schema_name] = {};
    std::uint64_t version = 0;
    const Type name_type = Type::text(sizeof name - 1);
    if (!h5::read_attribute(file, "schema", name_type, name) ||
        !h5::read_attribute(file, "schema_version", Type::u64(), &version) ||
        !std::ranges::equal(name, schema_name) || version != schema_version) {
        return bad(file.path(), "is no history segment of version 1");
    }
    return {};
}

Result<void> check_rows(const std::filesystem::path& path, const Segment& segment) {
    for (const KeptRow& row : segment.rows) {
        if (row.part >= segment.parts.size() || row.record.unit != unit_model_job) {
            return bad(path, "is damaged: a row belongs to no log");
        }
        const LogPart& part = segment.parts[row.part];
        const auto reason = implausibility(row.record);
        if (reason || row.row < part.first_row || row.row >= part.end_row) {
            return bad(path, "is damaged: " + reason.value_or("a row is not in its log's part"));
        }
    }
    return {};
}

}  // namespace

Result<Segment> read_segment(const std::filesystem::path& path) {
    const Result<h5::File> file = h5::File::open_to_read(path);
    if (!file) {
        return file.error();
    }
    if (Result<void> checked = check_identity(file.value()); !checked) {
        return checked.error();
    }
    Result<h5::DataSet> parts = h5::DataSet::open(file.value(), "parts", part_type(), max_rows);
    Result<h5::DataSet> rows = h5::DataSet::open(file.value(), "rows", kept_row_type(), max_rows);
    for (const Result<h5::DataSet>* opened : {&parts, &rows}) {
        if (!*opened) {
            return opened->error();
        }
    }
    std::vector<char> encoded(parts.value().rows() * part_bytes());
    Segment segment;
    segment.rows.resize(rows.value().rows());
    Result<void> read = parts.value().read(0, parts.value().rows(), encoded.data());
    if (read) {
        read = rows.value().read(0, segment.rows.size(), segment.rows.data());
    }
    if (!read) {
        return read.error();
    }
    Result<std::vector<LogPart>> decoded = decode_parts(encoded);
    if (!decoded) {
        return bad(path, "is damaged: " + decoded.error().message);
    }
    segment.parts = std::move(decoded).value();
    if (Result<void> checked = check_rows(path, segment); !checked) {
        return checked.error();
    }
    return segment;
}

Result<void> write_segment(const std::filesystem::path& path, const Segment& segment) {
    const std::filesystem::path draft = path.parent_path() / ".new-segment.h5";
    Result<void> written = write_content(draft, segment);
    if (written) {
        written = sync(draft);
    }
    if (written && rename(draft.c_str(), path.c_str()) != 0) {
        written = refused("rename to", path);
    }
    if (!written) {
        unlink(draft.c_str());
        return written;
    }
    return sync(path.parent_path());
}

}  // namespace epochcast

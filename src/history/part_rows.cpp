// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "history/part_rows.hpp"

#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "core/text.hpp"
#include "epoch_log/schema.hpp"

namespace epochcast {
namespace {

constexpr std::size_t longest_class = 128;

// Calls visit.text, visit.number and visit.real for each column in stored order, with a reference
// to its value in `part`; a changed value goes back into the part. False if one cannot be right.
template <class Visit>
bool visit_columns(LogPart& part, Visit& visit) {
    for (const schema::TextField& field : schema::text_fields()) {
        if (field.rule != TextRule::free) {  // texts for people stay in the log
            visit.text(field.name, field.longest, field.rule, field.of(part.header));
        }
    }
    visit.text("node_class", longest_class, TextRule::needed, part.placement.node_class);
    bool is_right = true;
    for (const schema::NumberField& field : schema::number_fields()) {
        std::uint64_t value = field.load(part.header);
        visit.number(field.name, value);
        is_right = field.store(part.header, value) && is_right;
    }
    std::uint64_t nodes = part.placement.nodes;
    std::uint64_t devices = part.placement.devices_per_node;
    std::uint64_t resumed = part.resumed ? 1 : 0;
    visit.number("nodes", nodes);
    visit.number("devices_per_node", devices);
    visit.number("resumed", resumed);
    visit.number("first_row", part.first_row);
    visit.number("end_row", part.end_row);
    visit.real("startup_s", part.startup_s);
    constexpr std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
    is_right = is_right && nodes >= 1 && nodes <= max && devices <= max && resumed <= 1 &&
               part.first_row <= part.end_row;
    part.placement.nodes = static_cast<std::uint32_t>(nodes);
    part.placement.devices_per_node = static_cast<std::uint32_t>(devices);
    part.resumed = resumed == 1;
    return is_right;
}

struct Layout {
    struct Column {
        const char* name;
        std::size_t offset;
        h5::Type type;
    };
    std::vector<Column> columns;
    std::size_t bytes = 0;

    void add(const char* name, h5::Type type) {
        const std::size_t size = type.bytes();
        columns.push_back({name, bytes, std::move(type)});
        bytes += size;
    }
    void text(const char* name, std::size_t longest, TextRule, const std::string&) {
        add(name, h5::Type::text(longest));
    }
    void number(const char* name, std::uint64_t) { add(name, h5::Type::u64()); }
    void real(const char* name, double) { add(name, h5::Type::f64()); }
};

Layout layout() {
    Layout made;
    LogPart any;
    visit_columns(any, made);
    return made;
}

struct Encode {
    std::vector<char>& out;
    void raw(const void* value, std::size_t bytes) {
        const auto* begin = static_cast<const char*>(value);
        out.insert(out.end(), begin, begin + bytes);
    }
    void text(const char*, std::size_t longest, TextRule, const std::string& value) {
        out.resize(out.size() + longest + 1);
        schema::store_text(value, std::span(out).last(longest + 1));
    }
    void number(const char*, std::uint64_t value) { raw(&value, sizeof value); }
    void real(const char*, double value) { raw(&value, sizeof value); }
};

struct Decode {
    std::span<const char> in;
    std::optional<std::string> problem;
    std::span<const char> next(std::size_t bytes) {
        const auto value = in.first(bytes);
        in = in.subspan(bytes);
        return value;
    }
    void text(const char* name, std::size_t longest, TextRule rule, std::string& value) {
        value = schema::load_text(next(longest + 1));
        if (const auto reason = objection(value, rule, longest)) {
            problem = std::string(name) + " " + epochcast::quoted(value) + " " + *reason;
        }
    }
    void number(const char*, std::uint64_t& value) {
        std::memcpy(&value, next(sizeof value).data(), sizeof value);
    }
    void real(const char*, double& value) {
        std::memcpy(&value, next(sizeof value).data(), sizeof value);
    }
};

}  // namespace

std::size_t part_bytes() {
    static const std::size_t bytes = layout().bytes;
    return bytes;
}

h5::Type part_type() {
    const Layout made = layout();
    std::vector<h5::Type::Member> members;
    for (const Layout::Column& column : made.columns) {
        members.push_back({column.name, column.offset, column.type});
    }
    return h5::Type::compound(made.bytes, members);
}

std::vector<char> encode_parts(std::span<const LogPart> parts) {
    std::vector<char> rows;
    rows.reserve(parts.size() * part_bytes());
    Encode encode{rows};
    for (LogPart part : parts) {
        visit_columns(part, encode);
    }
    return rows;
}

Result<std::vector<LogPart>> decode_parts(std::span<const char> rows) {
    std::vector<LogPart> parts(rows.size() / part_bytes());
    Decode decode{rows, {}};
    for (LogPart& part : parts) {
        const bool is_right = visit_columns(part, decode);
        if (!is_right || decode.problem) {
            return Error{ErrorKind::bad_input,
                         decode.problem.value_or("a number of a log is out of range")};
        }
    }
    return parts;
}

}  // namespace epochcast

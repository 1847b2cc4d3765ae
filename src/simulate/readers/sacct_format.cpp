// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/text.hpp"
#include "simulate/readers/sacct.hpp"

namespace epochcast::simulate {

namespace {

constexpr std::size_t most_columns = 1000;

// The first five must be there.
constexpr std::array used = {"JobID",
                             "State",
                             "Submit",
                             "Start",
                             "End",
                             "JobName",
                             "User",
                             "Partition",
                             "AllocCPUS",
                             "Timelimit",
                             "Elapsed",
                             "AllocTRES"};
constexpr std::size_t required = 5;

Error bad_fields(std::string message) {
    return Error{ErrorKind::usage,
                 "fields " + std::move(message) +
                     ": give NAME=COLUMN,... (columns from 0) or all names in order; JobID, State, "
                     "Submit, Start and End must be there"};
}

bool is_same_word(std::string_view a, std::string_view b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::ranges::equal(a, b, {}, lower, lower);
}

// sacct takes field names in any case and with a width.
std::string field_name(std::string_view text) {
    const std::string_view name = text.substr(0, text.find('%'));
    for (const char* known : used) {
        if (is_same_word(name, known)) return known;
    }
    return std::string(name);
}

}  // namespace

std::string missing_sacct_field(const std::map<std::string, std::size_t>& fields) {
    for (const char* name : std::span(used).first(required)) {
        if (!fields.contains(name)) return name;
    }
    return {};
}

Result<SacctFormat> sacct_format(std::string_view delimiter, std::string_view fields) {
    if (delimiter.empty()) return Error{ErrorKind::usage, "the delimiter is empty"};
    SacctFormat format;
    format.delimiter = delimiter;
    if (fields.empty()) return format;
    std::size_t place = 0;
    for (const std::string_view field : split(fields, ',')) {
        const std::size_t equals = field.find('=');
        const std::string name = field_name(trimmed(field.substr(0, equals)));
        if (name.empty()) return bad_fields("part " + quoted(field) + " has no name");
        std::size_t column = place++;
        if (equals != std::string_view::npos) {
            const auto given = parse_count("column", field.substr(equals + 1), 0, most_columns);
            if (!given) {
                return bad_fields("part " + quoted(field) + " names no column from 0 to " +
                                  std::to_string(most_columns));
            }
            column = given.value();
        }
        if (!format.fields.emplace(name, column).second) {
            return bad_fields("name " + quoted(name) + " twice");
        }
    }
    if (const std::string missing = missing_sacct_field(format.fields); !missing.empty()) {
        return bad_fields("lack " + missing);
    }
    return format;
}

}  // namespace epochcast::simulate

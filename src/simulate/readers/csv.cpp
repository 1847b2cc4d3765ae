// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/csv.hpp"

#include "core/text.hpp"

namespace epochcast::simulate {

Result<Csv> Csv::read(std::string_view what, std::string_view text) {
    Csv csv;
    csv.what_ = what;
    std::size_t line_number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++line_number;
        const std::string_view content = trimmed(line);
        if (content.empty()) continue;
        std::vector<std::string_view> fields = split(content, ',');
        if (csv.header_.empty()) {
            csv.header_ = std::move(fields);
            continue;
        }
        if (fields.size() != csv.header_.size()) {
            return Error{ErrorKind::bad_input,
                         csv.what_ + " line " + std::to_string(line_number) + ": " +
                             std::to_string(fields.size()) + " fields where the header has " +
                             std::to_string(csv.header_.size())};
        }
        csv.rows_.push_back(std::move(fields));
        csv.lines_.push_back(line_number);
    }
    if (csv.header_.empty()) return Error{ErrorKind::bad_input, csv.what_ + ": no header line"};
    return csv;
}

Result<std::size_t> Csv::column(std::string_view name) const {
    for (std::size_t i = 0; i < header_.size(); ++i) {
        if (header_[i] == name) return i;
    }
    return Error{ErrorKind::bad_input, what_ + ": no column " + quoted(name)};
}

Result<double> Csv::number(std::size_t row, std::size_t column, double min, double max) const {
    auto value = parse_number(header_[column], rows_[row][column], min, max);
    if (value) return value;
    return Error{ErrorKind::bad_input,
                 what_ + " line " + std::to_string(lines_[row]) + ": " + value.error().message};
}

}  // namespace epochcast::simulate

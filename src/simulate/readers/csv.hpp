// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Comma-separated values with a header line, as the public traces have them: no quotes, one record
// a line. Every column is found by its name; a missing one is an error, an extra one is ignored.

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace epochcast::simulate {

class Csv {
  public:
    // Keeps views into `text`, which must outlive this. Errors: bad_input if there is no header or
    // a line has not as many fields as the header; `what` and the line number are named.
    static Result<Csv> read(std::string_view what, std::string_view text);

    std::size_t rows() const { return rows_.size(); }

    // The column's number, or bad_input that names it.
    Result<std::size_t> column(std::string_view name) const;

    std::string_view field(std::size_t row, std::size_t column) const { return rows_[row][column]; }

    // The field as a finite number in [min, max], or bad_input with line and column.
    Result<double> number(std::size_t row, std::size_t column, double min, double max) const;

  private:
    std::string what_;
    std::vector<std::string_view> header_;
    std::vector<std::vector<std::string_view>> rows_;
    std::vector<std::size_t> lines_;  // line number of each row, from 1
};

}  // namespace epochcast::simulate

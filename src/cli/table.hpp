// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A table of text for 100 columns: aligned, two blanks between columns, no lines, no colour. A last
// column that is aligned left is wrapped at the right edge.

#include <cstddef>
#include <string>
#include <vector>

namespace epochcast {

class Table {
  public:
    enum class Align { left, right };

    static constexpr std::size_t width = 100;

    void column(std::string heading, Align align = Align::right);
    // A second heading above the next `span` columns that have none yet; "" leaves them without.
    void group(std::string heading, std::size_t span);
    // As many cells as there are columns.
    void row(std::vector<std::string> cells);

    // Each line ends in a newline and starts with two blanks; no line ends in blanks.
    std::string text() const;

  private:
    struct Column {
        std::string heading;
        Align align;
    };
    struct Group {
        std::string heading;
        std::size_t span;
    };

    std::vector<std::size_t> widths() const;
    std::string line(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) const;
    std::string group_line(const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<Group> groups_;
    std::vector<std::vector<std::string>> rows_;
};

// The text cut into lines of at most `width` columns, between words where there is a blank.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace epochcast

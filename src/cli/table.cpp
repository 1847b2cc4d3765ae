// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/table.hpp"

#include <algorithm>
#include <cassert>

namespace epochcast {

namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t narrowest = 20;  // what a wrapped column gets even where there is no room

// Columns on the screen, one for each code point of UTF-8.
std::size_t columns_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, Table::Align align) {
    const std::size_t used = columns_of(text);
    const std::string blanks(width > used ? width - used : 0, ' ');
    return align == Table::Align::left ? text + blanks : blanks + text;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    std::string rest = text;
    while (columns_of(rest) > width) {
        std::size_t cut = rest.rfind(' ', width);
        const bool has_no_blank = cut == std::string::npos || cut == 0;
        if (has_no_blank) {
            cut = width;
            while (cut < rest.size() && (rest[cut] & 0xC0) == 0x80) ++cut;
        }
        lines.push_back(rest.substr(0, cut));
        rest.erase(0, cut + (has_no_blank ? 0 : 1));
    }
    lines.push_back(rest);
    return lines;
}

void Table::column(std::string heading, Align align) {
    columns_.push_back({std::move(heading), align});
}

void Table::group(std::string heading, std::size_t span) {
    groups_.push_back({std::move(heading), span});
}

void Table::row(std::vector<std::string> cells) {
    assert(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    std::size_t used = indent;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t widest = columns_of(columns_[i].heading);
        for (const auto& row : rows_) widest = std::max(widest, columns_of(row[i]));
        if (i + 1 == columns_.size() && columns_[i].align == Align::left) {
            const std::size_t room = used < width ? width - used : 0;
            widest = std::min(widest, std::max(room, narrowest));
        }
        widths.push_back(widest);
        used += widest + gap;
    }
    return widths;
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
    std::string start(indent, ' ');
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        start += padded(cells[i], widths[i], columns_[i].align) + std::string(gap, ' ');
    }
    std::string text;
    for (const std::string& part : wrapped(cells.back(), widths.back())) {
        text += without_trailing_blanks(start + padded(part, widths.back(), columns_.back().align));
        text += '\n';
        start.assign(columns_of(start), ' ');
    }
    return text;
}

std::string Table::group_line(const std::vector<std::size_t>& widths) const {
    std::string text(indent, ' ');
    std::size_t next = 0;
    for (const Group& group : groups_) {
        std::size_t room = 0;
        for (std::size_t i = 0; i < group.span; ++i) room += widths[next++] + gap;
        text += padded(group.heading, room - gap, Align::right) + std::string(gap, ' ');
    }
    return without_trailing_blanks(text) + '\n';
}

std::string Table::text() const {
    const auto all_widths = widths();
    std::string text;
    if (!groups_.empty()) text += group_line(all_widths);
    std::vector<std::string> headings;
    for (const Column& column : columns_) headings.push_back(column.heading);
    text += line(headings, all_widths);
    for (const auto& row : rows_) text += line(row, all_widths);
    return text;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace epochcast {

TEST(Table, aligns_names_left_and_quantities_right) {
    Table table;
    table.column("class", Table::Align::left);
    table.column("time");
    table.row({"fast", "2.02 s"});
    table.row({"a-slow-one", "18 s"});

    EXPECT_EQ(table.text(),
              "  class         time\n"
              "  fast        2.02 s\n"
              "  a-slow-one    18 s\n");
}

TEST(Table, counts_characters_and_not_bytes) {
    Table table;
    table.column("name", Table::Align::left);
    table.column("n");
    table.row(
        {"Gr\xC3\xB6\xC3\x9F"
         "e",
         "1"});
    table.row({"abcde", "2"});

    EXPECT_EQ(table.text(),
              "  name   n\n  Gr\xC3\xB6\xC3\x9F"
              "e  1\n  abcde  2\n");
}

TEST(Table, wraps_a_last_left_column_at_100_columns) {
    Table table;
    table.column("a", Table::Align::left);
    table.column("words", Table::Align::left);
    std::string words;
    for (int i = 0; i < 60; ++i) words += "word ";
    table.row({std::string(60, 'x'), words});

    const std::string text = table.text();
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = text.find('\n', start);
        EXPECT_LE(end - start, Table::width);
        EXPECT_NE(text[end - 1], ' ');
        start = end + 1;
    }
}

TEST(Table, names_groups_of_columns) {
    Table table;
    table.column("epoch");
    table.group("", 1);
    table.column("loss");
    table.column("time");
    table.group("[1]", 2);
    table.row({"0", "1.5", "2 s"});

    EXPECT_EQ(table.text(), "                [1]\n  epoch  loss  time\n      0   1.5   2 s\n");
}

TEST(Wrapped, cuts_between_words_and_never_inside_a_character) {
    EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrapped("abcdefgh", 4), (std::vector<std::string>{"abcd", "efgh"}));
    EXPECT_EQ(wrapped("", 4), (std::vector<std::string>{""}));
    for (const std::string& line : wrapped("\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6\xC3\xB6", 2)) {
        EXPECT_EQ(line.size() % 2, 0u);
    }
}

}  // namespace epochcast

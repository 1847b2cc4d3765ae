// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace epochcast {
namespace {

TEST(Text, quotes_a_plain_value) { EXPECT_EQ(quoted("resnet50"), "'resnet50'"); }

TEST(Text, quoting_leaves_nothing_a_terminal_obeys) {
    EXPECT_EQ(quoted("a\x1b[31mb\n"), "'a\\x1b[31mb\\x0a'");
    EXPECT_EQ(quoted("it's \\"), "'it\\x27s \\x5c'");
    EXPECT_EQ(quoted("\xc2\x9b"), "'\\xc2\\x9b'");
}

TEST(Text, quoting_keeps_utf8_and_escapes_what_only_looks_like_it) {
    EXPECT_EQ(quoted("Modell-\xc3\xbc"), "'Modell-\xc3\xbc'");
    EXPECT_EQ(quoted("\xfc"), "'\\xfc'");
    EXPECT_EQ(quoted("\xc0\xaf"), "'\\xc0\\xaf'");           // overlong
    EXPECT_EQ(quoted("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // surrogate
    EXPECT_EQ(quoted("\xe2\x82"), "'\\xe2\\x82'");           // cut short
}

TEST(Text, quoting_cuts_long_values_and_names_their_length) {
    EXPECT_EQ(quoted(std::string(5000, 'x'), 4), "'xxxx'... (5000 bytes)");
}

TEST(Text, counts_are_whole_numbers_in_range) {
    EXPECT_EQ(parse_count("epochs", "90", 1, 100).value(), 90u);
    for (const char* wrong : {"",
                              "0",
                              "101",
                              "-1",
                              "+5",
                              "5 ",
                              " 5",
                              "5.0",
                              "1e3",
                              "0x10",
                              "99999999999999999999999",
                              "\xd9\xa3"}) {
        const auto result = parse_count("epochs", wrong, 1, 100);
        ASSERT_FALSE(result) << wrong;
        EXPECT_EQ(result.error().kind, ErrorKind::usage);
        EXPECT_EQ(result.error().message,
                  "epochs " + quoted(wrong) + " is not allowed: give a whole number from 1 to 100");
    }
}

TEST(Text, numbers_are_finite_and_in_range) {
    EXPECT_EQ(parse_number("rate", "1e-3", 0, 1).value(), 0.001);
    for (const char* wrong : {"", "nan", "inf", "-0.1", "1.1", "0,5", "1e999", "0x1p-3"}) {
        EXPECT_FALSE(parse_number("rate", wrong, 0, 1)) << wrong;
    }
}

TEST(Text, splits_and_trims) {
    EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
    EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
    EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
    EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, durations_read_naturally) {
    EXPECT_EQ(human_duration(0.0123), "12 ms");
    EXPECT_EQ(human_duration(3.216), "3.22 s");
    EXPECT_EQ(human_duration(59.96), "60.0 s");
    EXPECT_EQ(human_duration(125), "2 min 05 s");
    EXPECT_EQ(human_duration(3599.6), "1 h 00 min");
    EXPECT_EQ(human_duration(90000), "1 d 01 h");
    EXPECT_EQ(human_duration(-5), "-5.00 s");
    EXPECT_EQ(human_duration(1e300), "1.0e+300 s");
    EXPECT_EQ(human_duration(std::nan("")), "unknown");
}

TEST(Text, bytes_read_naturally) {
    EXPECT_EQ(human_bytes(512), "512 B");
    EXPECT_EQ(human_bytes(1536), "1.5 KiB");
    EXPECT_EQ(human_bytes(std::numeric_limits<double>::infinity()), "unknown");
}

}  // namespace
}  // namespace epochcast

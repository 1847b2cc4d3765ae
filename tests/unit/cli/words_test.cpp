// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/words.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace epochcast {

TEST(Words, show_quantities_with_units_and_a_dash_for_nothing) {
    EXPECT_EQ(flop_cell(3.66e10, "FLOP/s"), "36.6 GFLOP/s");
    EXPECT_EQ(flop_cell(12, ""), "12");
    EXPECT_EQ(duration_cell(2.02), "2.02 s");
    EXPECT_EQ(duration_cell(absent), "-");
    EXPECT_EQ(bytes_cell(absent_count), "-");
    EXPECT_EQ(count_cell(absent_count), "-");
    EXPECT_EQ(count_cell(std::uint64_t{0}), "0");
    EXPECT_EQ(flop_cell(absent, "FLOP"), "-");
}

TEST(Words, show_an_interval_with_one_unit_where_both_ends_have_it) {
    EXPECT_EQ(interval_cell(1.84, 2.2), "1.84 to 2.20 s");
    EXPECT_EQ(interval_cell(0.9, 1.2), "900 ms to 1.20 s");
    EXPECT_EQ(interval_cell(100, 200), "1 min 40 s to 3 min 20 s");
    EXPECT_EQ(interval_cell(absent, 2), "-");
}

TEST(Words, show_money_and_loss_with_four_digits) {
    EXPECT_EQ(number_cell(0), "0");
    EXPECT_EQ(number_cell(0.0047), "0.004700");
    EXPECT_EQ(number_cell(1.5), "1.500");
    EXPECT_EQ(number_cell(12345.678), "12346");
    EXPECT_EQ(number_cell(-2.26), "-2.260");
    EXPECT_EQ(number_cell(1e-9), "1.000e-09");
    EXPECT_EQ(number_cell(std::numeric_limits<double>::infinity()), "-");
}

TEST(Words, show_times_in_utc_and_survive_absurd_ones) {
    EXPECT_EQ(time_cell(1'767'323'045ull * 1'000'000'000), "2026-01-02 03:04:05 UTC");
    EXPECT_EQ(time_cell(0), "at an unknown time");
    EXPECT_EQ(time_cell(std::numeric_limits<std::uint64_t>::max()), "2554-07-21 23:34:33 UTC");
}

TEST(Words, disarm_text_from_outside) {
    EXPECT_EQ(plain("resnet50"), "resnet50");
    EXPECT_EQ(plain("a\x1b[31m\nb"), "a\\x1b[31m\\x0ab");
    EXPECT_EQ(plain("\xff"), "\\xff");
    EXPECT_EQ(plain(std::string(100, 'x'), 10), "'xxxxxxxxxx'... (100 bytes)");
    EXPECT_EQ(plain(""), "");
}

TEST(Words, count_things) {
    EXPECT_EQ(plural(1, "epoch"), "1 epoch");
    EXPECT_EQ(plural(0, "class"), "0 classes");
}

TEST(Json, has_null_for_what_was_not_measured) {
    EXPECT_TRUE(json_number(absent).is_null());
    EXPECT_TRUE(json_count(absent_count).is_null());
    EXPECT_TRUE(json_text("").is_null());
    EXPECT_EQ(json_forecast(Forecast{}).at("epoch").at("time_s"), Json());
}

}  // namespace epochcast

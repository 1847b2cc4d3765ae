// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace epochcast {
namespace {

Deadline deadline(std::string_view text) {
    const auto result = parse_deadline(text);
    EXPECT_TRUE(result.ok()) << text;
    return result ? result.value() : Deadline{};
}

TEST(Deadline, is_a_time_from_submission_or_a_moment) {
    EXPECT_EQ(deadline("+8h"), (Deadline{true, 8 * 3600}));
    EXPECT_EQ(deadline("+1d12h"), (Deadline{true, 36 * 3600}));
    EXPECT_EQ(deadline("+2d3h4m5s"), (Deadline{true, 183845}));
    EXPECT_EQ(deadline("+90m"), (Deadline{true, 5400}));
    EXPECT_EQ(deadline("1970-01-01T00:00:00Z"), (Deadline{false, 0}));
    EXPECT_EQ(deadline("2026-08-07T18:00:00Z"), (Deadline{false, 1786125600}));
    EXPECT_EQ(deadline("2026-08-07t20:00:00.75+02:00"), deadline("2026-08-07 18:00:00z"));
    EXPECT_EQ(deadline("2026-08-07T12:30:00-05:30"), deadline("2026-08-07T18:00:00Z"));
}

TEST(Deadline, knows_the_calendar) {
    EXPECT_EQ(deadline("2000-02-29T00:00:00Z").seconds, 951782400);
    EXPECT_EQ(deadline("2024-02-29T23:59:59Z").seconds, 1709251199);
    EXPECT_EQ(deadline("2016-12-31T23:59:60Z"), deadline("2017-01-01T00:00:00Z"));
    EXPECT_EQ(deadline("9999-12-31T23:59:59Z").seconds, 253402300799);
    for (const char* text : {"2023-02-29T00:00:00Z",
                             "2100-02-29T00:00:00Z",
                             "2026-04-31T00:00:00Z",
                             "2026-00-10T00:00:00Z",
                             "2026-13-10T00:00:00Z",
                             "1969-12-31T23:59:59Z"}) {
        EXPECT_FALSE(parse_deadline(text).ok()) << text;
    }
}

TEST(Deadline, hostile_text_is_a_usage_error_that_shows_what_is_allowed) {
    for (const char* text : {"",
                             "+",
                             "+8",
                             "+h",
                             "+8x",
                             "+-8h",
                             "+8h8h",
                             "+8m1h",
                             "+0s",
                             "+ 8h",
                             "+8h ",
                             "+99999999d",
                             "+9223372036854775807s",
                             "+99999999999999999999h",
                             "8h",
                             "tomorrow",
                             "2026-08-07",
                             "2026-08-07T18:00Z",
                             "2026-08-07T18:00:00",
                             "2026-08-07T24:00:00Z",
                             "2026-08-07T18:60:00Z",
                             "2026-08-07T18:00:61Z",
                             "2026-08-07T18:00:00.Z",
                             "2026-08-07T18:00:00+2:00",
                             "2026-08-07T18:00:00+24:00",
                             "2026-08-07T18:00:00ZZ",
                             "2026-8-7T18:00:00Z",
                             "+3653d1s",
                             "\x01\xff"}) {
        const auto result = parse_deadline(text);
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_EQ(result.error().kind, ErrorKind::usage);
        EXPECT_NE(result.error().message.find("+8h"), std::string::npos);
    }
}

TEST(Deadline, seconds_left_count_from_the_submission_or_from_the_clock) {
    EXPECT_DOUBLE_EQ(seconds_left({true, 100}, 1000, 1030), 70);
    EXPECT_DOUBLE_EQ(seconds_left({false, 2000}, 1000, 1030), 970);
    EXPECT_DOUBLE_EQ(seconds_left({false, 2000}, 1000, 2030), -30);
}

TEST(Budget, is_a_positive_amount) {
    EXPECT_DOUBLE_EQ(parse_budget("12.50").value(), 12.5);
    for (const char* text : {"", "0", "-1", "nan", "inf", "1e30", "12,50", "12 EUR"}) {
        EXPECT_FALSE(parse_budget(text).ok()) << text;
    }
}

TEST(Limits, the_worse_excess_counts_and_what_is_unknown_cannot_be_promised) {
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(overrun({}, {1e9, 1e9, 1}), 0);
    EXPECT_EQ(overrun({100, 10}, {10, 100, 1}), 0);
    EXPECT_DOUBLE_EQ(overrun({100, 10}, {15, 120, 1}), 0.5);
    EXPECT_DOUBLE_EQ(overrun({100, 10}, {11, 200, 1}), 1);
    EXPECT_EQ(overrun({100, absent}, {absent, 50, 1}), 0);
    EXPECT_EQ(overrun({absent, 10}, {absent, 50, 1}), infinite);
    EXPECT_EQ(overrun({-1, absent}, {1, 50, 1}), infinite);
}

TEST(Standing, limits_come_before_utility_and_ties_break_by_cost_then_time) {
    const Standing holds{0, 1, 5, 5};
    EXPECT_TRUE(is_better(holds, {0.1, 100, 1, 1}));
    EXPECT_TRUE(is_better({0.1, 0, 5, 5}, {0.2, 9, 1, 1}));
    EXPECT_TRUE(is_better({0, 2, 9, 9}, holds));
    EXPECT_TRUE(is_better({0, 1, 4, 9}, holds));
    EXPECT_TRUE(is_better({0, 1, 5, 4}, holds));
    EXPECT_TRUE(is_better(holds, {0, 1, absent, 1}));
    EXPECT_TRUE(is_better(holds, {0, absent, 1, 1}));
    EXPECT_FALSE(is_better(holds, holds));
}

TEST(Standing, is_a_strict_weak_order) {
    std::vector<Standing> all;
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double overrun_part : {0.0, 0.5, infinite}) {
        for (const double utility_value : {-1.0, 2.0, absent}) {
            for (const double cost : {1.0, absent}) {
                for (const double time_s : {1.0, 2.0, absent}) {
                    all.push_back({overrun_part, utility_value, cost, time_s});
                }
            }
        }
    }
    const auto equal = [](const Standing& a, const Standing& b) {
        return !is_better(a, b) && !is_better(b, a);
    };
    for (const Standing& a : all) {
        for (const Standing& b : all) {
            EXPECT_FALSE(is_better(a, b) && is_better(b, a));
            for (const Standing& c : all) {
                EXPECT_TRUE(!is_better(a, b) || !is_better(b, c) || is_better(a, c));
                EXPECT_TRUE(!equal(a, b) || !equal(b, c) || equal(a, c));
            }
        }
    }
}

}  // namespace
}  // namespace epochcast

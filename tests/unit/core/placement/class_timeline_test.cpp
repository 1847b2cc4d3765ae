// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/class_timeline.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace epochcast {
namespace {

using Times = std::vector<double>;

TEST(ClassTimeline, a_run_takes_the_units_that_are_free_first) {
    Times free_s{0, 10, 20};
    EXPECT_EQ(reserve(free_s, 2, 0, 5), 10);
    EXPECT_EQ(free_s, (Times{15, 15, 20}));
    EXPECT_EQ(reserve(free_s, 1, 0, 100), 15);
    EXPECT_EQ(free_s, (Times{15, 20, 115}));
}

TEST(ClassTimeline, a_run_that_is_released_later_leaves_the_longest_idle_units_alone) {
    Times free_s{0, 10, 20, 90};
    EXPECT_EQ(reserve(free_s, 1, 30, 5), 30);
    EXPECT_EQ(free_s, (Times{0, 10, 35, 90}));
    EXPECT_EQ(reserve(free_s, 4, 30, 10), 90);
    EXPECT_EQ(free_s, (Times{100, 100, 100, 100}));
}

TEST(ClassTimeline, stays_sorted_and_never_starts_before_the_release) {
    Random random(1);
    Times free_s(9, 0.0);
    for (int i = 0; i < 2000; ++i) {
        const std::uint32_t units = 1 + random.below(9);
        const double release_s = random.below(2000);
        const Times before = free_s;
        const double start_s = reserve(free_s, units, release_s, 1 + random.below(50));
        ASSERT_GE(start_s, release_s);
        ASSERT_GE(start_s, before[units - 1]);
        ASSERT_TRUE(std::is_sorted(free_s.begin(), free_s.end()));
        ASSERT_EQ(free_s.size(), before.size());
    }
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/random.hpp"

#include <gtest/gtest.h>

namespace epochcast {
namespace {

TEST(Random, equal_seeds_give_equal_bits) {
    Random a(7);
    Random b(7);
    // The first outputs of SplitMix64 for seed 0 are published.
    EXPECT_EQ(Random(0).next(), 0xe220a8397b1dcdafu);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
    EXPECT_NE(Random(1).next(), Random(2).next());
}

TEST(Random, stays_in_its_ranges_and_has_the_right_means) {
    Random random(3);
    double uniform = 0;
    double exponential = 0;
    double normal = 0;
    double squares = 0;
    constexpr int draws = 100000;
    for (int i = 0; i < draws; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        ASSERT_LT(random.below(5), 5u);
        uniform += u;
        exponential += random.exponential();
        const double n = random.normal();
        normal += n;
        squares += n * n;
    }
    EXPECT_NEAR(uniform / draws, 0.5, 0.01);
    EXPECT_NEAR(exponential / draws, 1, 0.02);
    EXPECT_NEAR(normal / draws, 0, 0.02);
    EXPECT_NEAR(squares / draws, 1, 0.03);
    EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace epochcast

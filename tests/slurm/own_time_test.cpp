// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "select/own_time.hpp"

#include <gtest/gtest.h>

using epochcast::slurm::OwnTime;

TEST(OwnTime, tells_percentiles_within_a_quarter_octave) {
    OwnTime times;
    for (uint64_t ns = 1; ns <= 100'000; ++ns) times.add(ns);
    EXPECT_EQ(times.count(), 100'000u);
    EXPECT_GE(times.percentile_ns(0.5), 50'000u);
    EXPECT_LE(times.percentile_ns(0.5), 59'500u);
    EXPECT_GE(times.percentile_ns(0.99), 99'000u);
    EXPECT_LE(times.percentile_ns(0.99), 100'000u);
    EXPECT_EQ(times.max_ns(), 100'000u);
}

TEST(OwnTime, is_zero_without_calls) {
    EXPECT_EQ(OwnTime().percentile_ns(0.5), 0u);
    EXPECT_EQ(OwnTime().max_ns(), 0u);
}

TEST(OwnTime, every_time_lies_at_or_below_its_bucket_bound) {
    for (uint64_t ns = 0; ns < 5000; ++ns) {
        OwnTime times;
        times.add(ns);
        EXPECT_EQ(times.percentile_ns(1), ns) << "the only value is also the largest";
        times.add(UINT64_MAX);
        EXPECT_GE(times.percentile_ns(0.5), ns);
        EXPECT_LE(times.percentile_ns(0.5), ns + ns / 4);
    }
}

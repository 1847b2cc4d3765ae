// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/epoch_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace epochcast {
namespace {

EpochRecord epoch_of(double wall_s, std::uint32_t flags = 0) {
    EpochRecord record;
    record.wall_s = wall_s;
    record.flags = flags;
    return record;
}

TEST(EpochStatistics, plain_means_are_over_all_epochs_that_ran) {
    std::vector<EpochRecord> records{epoch_of(30, epoch_warm_up), epoch_of(10), epoch_of(20)};
    for (EpochRecord& record : records) {
        record.cpu_s = record.wall_s * 2;
        record.flop = 6e9;
    }
    const EpochMeans means = plain_means(records);
    EXPECT_DOUBLE_EQ(means.time_s, 20);
    EXPECT_DOUBLE_EQ(means.cpu_s, 40);
    EXPECT_DOUBLE_EQ(means.flop_rate, 18e9 / 60);
}

TEST(EpochStatistics, robust_means_leave_out_what_is_not_a_steady_epoch) {
    const std::vector<EpochRecord> records{epoch_of(30, epoch_warm_up),
                                           epoch_of(10),
                                           epoch_of(10.2),
                                           epoch_of(9.8),
                                           epoch_of(4, epoch_partial),
                                           epoch_of(15, epoch_resumed),
                                           epoch_of(1, epoch_generated),
                                           epoch_of(0),
                                           epoch_of(std::nan("")),
                                           epoch_of(-3),
                                           epoch_of(std::numeric_limits<double>::infinity())};
    const RobustMeans robust = robust_means(records);
    EXPECT_EQ(robust.used, 3u);
    EXPECT_FALSE(robust.only_doubtful);
    EXPECT_NEAR(robust.means.time_s, 10, 1e-12);
}

TEST(EpochStatistics, absurd_epochs_are_left_out_unflagged_too) {
    const std::vector<EpochRecord> records{epoch_of(30),
                                           epoch_of(10),
                                           epoch_of(10.1),
                                           epoch_of(9.9),
                                           epoch_of(10),
                                           epoch_of(7209),
                                           epoch_of(0.01)};
    EXPECT_NEAR(robust_means(records).means.time_s, 10, 0.01);
    EXPECT_EQ(robust_means(records).used, 4u);
}

TEST(EpochStatistics, doubtful_epochs_are_used_if_there_is_nothing_else) {
    const std::vector<EpochRecord> records{epoch_of(30, epoch_warm_up)};
    const RobustMeans robust = robust_means(records);
    EXPECT_TRUE(robust.only_doubtful);
    EXPECT_DOUBLE_EQ(robust.means.time_s, 30);
}

TEST(EpochStatistics, the_interval_holds_the_mean_narrows_with_repeats_and_stays_positive) {
    std::vector<EpochRecord> records{epoch_of(10)};
    const RobustMeans one = robust_means(records);
    EXPECT_LT(one.low_s, 10);
    EXPECT_GT(one.high_s, 10);
    for (int i = 0; i < 20; ++i) records.push_back(epoch_of(i % 2 == 0 ? 9.9 : 10.1));
    const RobustMeans many = robust_means(records);
    EXPECT_LT(many.high_s - many.low_s, one.high_s - one.low_s);
    const std::vector<EpochRecord> wild{epoch_of(1), epoch_of(20)};
    EXPECT_GT(robust_means(wild).low_s, 0);
}

TEST(EpochStatistics, absent_quantities_stay_absent) {
    const std::vector<EpochRecord> records{epoch_of(10), epoch_of(11)};
    const EpochMeans means = robust_means(records).means;
    EXPECT_TRUE(std::isnan(means.cpu_s));
    EXPECT_TRUE(std::isnan(means.peak_memory_bytes));
    EXPECT_TRUE(std::isnan(means.flop_rate));
}

TEST(EpochStatistics, no_usable_epoch_means_nothing_used) {
    EXPECT_EQ(robust_means({}).used, 0u);
    const std::vector<EpochRecord> records{epoch_of(4, epoch_partial)};
    EXPECT_EQ(robust_means(records).used, 0u);
    EXPECT_TRUE(std::isnan(plain_means(records).time_s));
}

}  // namespace
}  // namespace epochcast

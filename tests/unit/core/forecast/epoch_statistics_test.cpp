// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/epoch_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

// Epochs 0, 1, 2, ... of one run.
std::vector<EpochRecord> run_of(const std::vector<double>& times_s) {
    std::vector<EpochRecord> records;
    for (const double wall_s : times_s) {
        records.push_back(epoch_of(wall_s));
        records.back().epoch = records.size() - 1;
    }
    return records;
}

TEST(EpochStatistics, a_slow_first_epoch_is_a_warm_up_without_a_flag) {
    const RobustMeans robust = robust_means(run_of({30, 10}));
    EXPECT_DOUBLE_EQ(robust.means.time_s, 10);
    EXPECT_EQ(robust.used, 1u);
    EXPECT_DOUBLE_EQ(plain_means(run_of({30, 10})).time_s, 20);
    EXPECT_DOUBLE_EQ(robust_means(run_of({11, 10})).means.time_s, 10.5);  // as usual
}

TEST(EpochStatistics, of_a_trend_the_last_epochs_count_and_the_interval_reaches_on) {
    std::vector<double> times_s;
    for (int i = 0; i < 20; ++i) times_s.push_back(10 + i);  // 10 to 29
    const RobustMeans rising = robust_means(run_of(times_s));
    EXPECT_EQ(rising.used, 5u);
    EXPECT_DOUBLE_EQ(rising.means.time_s, 27);
    EXPECT_NEAR(rising.drift_s, 1, 1e-12);
    EXPECT_GT(rising.high_s, 47);  // 20 epochs on
    std::reverse(times_s.begin(), times_s.end());
    const RobustMeans falling = robust_means(run_of(times_s));
    EXPECT_DOUBLE_EQ(falling.means.time_s, 11.5);  // the last 4 of 19: the first was slow
    EXPECT_LT(falling.low_s, 6);
    EXPECT_GT(falling.low_s, 0);
}

TEST(EpochStatistics, scatter_and_repeated_runs_are_no_trend) {
    std::vector<double> times_s;
    for (int i = 0; i < 40; ++i) times_s.push_back(10 + (i * 7 % 5) * 0.4);
    EXPECT_EQ(robust_means(run_of(times_s)).drift_s, 0);
    std::vector<EpochRecord> runs = run_of({10, 11, 12, 13, 14, 15});
    for (int i = 0; i < 2; ++i) {
        const auto again = run_of({10, 11, 12, 13, 14, 15});
        runs.insert(runs.end(), again.begin(), again.end());
    }
    EXPECT_EQ(robust_means(runs).drift_s, 0);
    EXPECT_DOUBLE_EQ(robust_means(runs).means.time_s, 12.5);
}

TEST(EpochStatistics, epochs_after_a_change_of_batch_are_left_out) {
    std::vector<EpochRecord> records = run_of({10, 10, 10, 4, 4});
    for (EpochRecord& record : records) {
        record.samples = 6400;
        record.steps = record.wall_s == 10 ? 400 : 100;
    }
    EXPECT_DOUBLE_EQ(robust_means(records, 16).means.time_s, 10);
    EXPECT_DOUBLE_EQ(robust_means(records, 64).means.time_s, 4);
    EXPECT_DOUBLE_EQ(robust_means(records).means.time_s, 4);  // not declared: as the newest
    // Declared is 20: batch 16 is nearest.
    EXPECT_DOUBLE_EQ(robust_means(records, 20).means.time_s, 10);
}

TEST(EpochStatistics, epochs_of_unequal_length_are_compared_per_step) {
    std::vector<EpochRecord> records = run_of({10, 10.2, 9.8, 5});
    for (EpochRecord& record : records) {
        record.steps = record.wall_s == 5 ? 50 : 100;
        record.cpu_s = record.wall_s * 3;
    }
    const RobustMeans robust = robust_means(records);
    EXPECT_EQ(robust.used, 4u);
    EXPECT_DOUBLE_EQ(robust.steps, 100);
    EXPECT_NEAR(robust.means.time_s, 10, 1e-12);
    EXPECT_NEAR(robust.means.cpu_s, 30, 1e-12);
}

TEST(EpochStatistics, generated_epochs_count_only_where_nothing_steady_was_measured) {
    std::vector<EpochRecord> records{epoch_of(30, epoch_warm_up), epoch_of(12, epoch_generated)};
    RobustMeans robust = robust_means(records);
    EXPECT_TRUE(robust.only_generated);
    EXPECT_FALSE(robust.only_doubtful);
    EXPECT_DOUBLE_EQ(robust.means.time_s, 12);
    records.push_back(epoch_of(10));
    robust = robust_means(records);
    EXPECT_FALSE(robust.only_generated);
    EXPECT_DOUBLE_EQ(robust.means.time_s, 10);
}

}  // namespace
}  // namespace epochcast

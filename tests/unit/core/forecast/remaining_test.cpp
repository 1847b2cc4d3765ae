// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/remaining.hpp"

#include <gtest/gtest.h>

namespace epochcast {
namespace {

std::vector<EpochRecord> rows_of(const std::vector<double>& times_s) {
    std::vector<EpochRecord> rows;
    for (const double wall_s : times_s) {
        EpochRecord row;
        row.epoch = rows.size();
        row.flags = rows.empty() ? epoch_warm_up : 0u;
        row.wall_s = wall_s;
        rows.push_back(row);
    }
    return rows;
}

TEST(Remaining, counts_the_epochs_left_less_what_the_running_one_has_used) {
    const auto remaining = forecast_remaining(rows_of({30, 10, 10, 10}), 10, 4, nullptr);
    ASSERT_TRUE(remaining);
    EXPECT_EQ(remaining->epochs, 6u);
    EXPECT_NEAR(remaining->time_s, 56, 1e-9);
    EXPECT_LT(remaining->low_s, 56);
    EXPECT_GT(remaining->high_s, 56);
    EXPECT_FALSE(remaining->is_stalled);
    EXPECT_EQ(remaining->basis, "from its own 3 epochs");
}

TEST(Remaining, says_nothing_after_a_first_epoch_unless_the_history_does) {
    EXPECT_FALSE(forecast_remaining(rows_of({30}), 10, 0, nullptr));
    EXPECT_FALSE(forecast_remaining({}, 10, 0, nullptr));
    Forecast prior;
    prior.epoch.time_s = 8;
    prior.epoch_low_s = 7;
    prior.epoch_high_s = 9;
    prior.basis = "from 12 epochs on this class";
    const auto remaining = forecast_remaining(rows_of({30}), 10, 0, &prior);
    ASSERT_TRUE(remaining);
    EXPECT_NEAR(remaining->time_s, 72, 1e-9);
    EXPECT_EQ(remaining->basis, "from 12 epochs on this class");
}

TEST(Remaining, epochs_that_take_longer_and_longer_are_not_averaged_away) {
    std::vector<double> times_s{30};
    for (int i = 0; i < 20; ++i) times_s.push_back(10 + i);
    const auto remaining = forecast_remaining(rows_of(times_s), 31, 0, nullptr);
    ASSERT_TRUE(remaining);
    EXPECT_EQ(remaining->epochs, 10u);
    EXPECT_GT(remaining->time_s, 10 * 25);
    EXPECT_GT(remaining->high_s, 345);  // 30 + 31 + ... + 39, if it goes on like that
}

TEST(Remaining, an_epoch_that_does_not_end_is_a_stall_not_a_slower_forecast) {
    const auto remaining = forecast_remaining(rows_of({30, 10, 10, 10}), 5, 500, nullptr);
    ASSERT_TRUE(remaining);
    EXPECT_TRUE(remaining->is_stalled);
    EXPECT_EQ(remaining->time_s, 0);
}

TEST(Remaining, epochs_repeated_after_a_restart_count_once_and_none_are_left_past_the_end) {
    auto rows = rows_of({30, 10, 10, 10});
    rows.push_back(rows[3]);
    EXPECT_EQ(forecast_remaining(rows, 10, 0, nullptr)->epochs, 6u);
    const auto done = forecast_remaining(rows, 4, 0, nullptr);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->epochs, 0u);
    EXPECT_EQ(done->high_s, 0);
    EXPECT_EQ(forecast_remaining(rows, 2, 0, nullptr)->epochs, 0u);
}

}  // namespace
}  // namespace epochcast

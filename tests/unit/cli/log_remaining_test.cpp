// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/log_remaining.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast {

using testing::HasSubstr;

constexpr std::int64_t began_s = 1'767'323'045;

// `epochs` of 10 s each, one after the other, of 10 that were declared.
EpochLog log(std::uint64_t epochs) {
    EpochLog made;
    made.header.start_ns = static_cast<std::uint64_t>(began_s) * 1'000'000'000;
    made.header.declared_epochs = 10;
    for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
        EpochRecord row;
        row.epoch = epoch;
        row.wall_s = 10;
        row.start_ns = made.header.start_ns + epoch * 10'000'000'000;
        if (epoch == 0) row.flags = epoch_warm_up;
        made.rows.push_back(row);
    }
    return made;
}

TEST(LogRemaining, counts_what_is_left_from_its_own_epochs) {
    const Json remaining = remaining_json(log(4), began_s + 45);
    EXPECT_EQ(remaining["epochs"], 6);
    EXPECT_NEAR(remaining["time_s"].get<double>(), 55, 1e-6);  // 5 s into the fifth
    EXPECT_THAT(remaining_text(log(4), began_s + 45), HasSubstr("6 epochs, 55.0 s"));
    EXPECT_THAT(remaining_text(log(4), began_s + 45), HasSubstr("from its own 3 epochs"));
}

TEST(LogRemaining, says_nothing_of_jobs_that_have_ended_or_declared_nothing) {
    EpochLog ended = log(4);
    LogEvent end;
    end.kind = EventKind::end;
    ended.events.push_back(end);
    EXPECT_EQ(remaining_text(ended, began_s + 45), "");
    EXPECT_TRUE(remaining_json(ended, began_s + 45).is_null());
    EpochLog undeclared = log(4);
    undeclared.header.declared_epochs.reset();
    EXPECT_EQ(remaining_text(undeclared, began_s + 45), "");
}

TEST(LogRemaining, tells_a_job_that_hangs_and_one_that_has_just_begun) {
    EXPECT_THAT(remaining_text(log(4), began_s + 4000), HasSubstr("it hangs"));
    EXPECT_TRUE(remaining_json(log(4), began_s + 4000)["is_stalled"].get<bool>());
    EXPECT_THAT(remaining_text(log(1), began_s + 11), HasSubstr("not known"));
    EXPECT_THAT(remaining_text(log(0), began_s + 11), HasSubstr("not known"));
    EXPECT_THAT(remaining_text(log(10), began_s + 101), HasSubstr("no epoch"));
    EXPECT_THAT(remaining_text(log(4), began_s - 500), HasSubstr("60.0 s"));  // clocks differ
}

}  // namespace epochcast

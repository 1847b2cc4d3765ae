// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/run_rows.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace epochcast {

namespace {

EpochEvent event_of(std::uint32_t run, std::uint64_t epoch, double begin_s, double end_s) {
    EpochEvent event;
    event.run = run;
    event.number = event.epoch = epoch;
    event.begin_s = begin_s;
    event.end_s = end_s;
    event.wall_s = end_s - begin_s;
    return event;
}

UseTrack steady_use() {
    UseTrack track;
    for (int second = 100; second <= 200; second += 10) {
        ProcessUse use;
        use.cpu_s = 2.0 * (second - 100);
        use.resident_bytes = 1000;
        track.add(second, use);
    }
    return track;
}

RunFrame frame() {
    RunFrame frame;
    frame.start_s = 100;
    frame.start_ns = 5'000'000'000;
    frame.samples_per_epoch = 640;
    return frame;
}

}  // namespace

TEST(RunRows, an_epoch_becomes_a_row_with_what_its_processes_used) {
    RunRows rows(frame());
    const auto made = rows.ended(event_of(0, 0, 110, 120), steady_use());
    ASSERT_EQ(made.size(), 1);
    EXPECT_EQ(made[0].unit, unit_model_job);
    EXPECT_EQ(made[0].flags, epoch_warm_up);
    EXPECT_EQ(made[0].start_ns, 15'000'000'000u);
    EXPECT_DOUBLE_EQ(made[0].wall_s, 10);
    EXPECT_DOUBLE_EQ(made[0].cpu_s, 20);
    EXPECT_EQ(made[0].peak_memory_bytes, 1000u);
    EXPECT_EQ(made[0].samples, 640u);
    EXPECT_TRUE(std::isnan(made[0].flop));
    EXPECT_EQ(rows.ended(event_of(0, 1, 120, 130), steady_use())[0].flags, 0u);
}

TEST(RunRows, a_counter_that_begins_again_is_counted_on_and_one_that_goes_back_is_not) {
    RunRows rows(frame());
    const UseTrack use;
    EXPECT_EQ(rows.ended(event_of(0, 0, 100, 101), use)[0].epoch, 0u);
    EXPECT_EQ(rows.ended(event_of(0, 1, 101, 102), use)[0].epoch, 1u);
    EXPECT_EQ(rows.ended(event_of(1, 0, 102, 103), use)[0].epoch, 2u);
    EXPECT_EQ(rows.ended(event_of(1, 1, 103, 104), use)[0].epoch, 3u);
    EXPECT_EQ(rows.ended(event_of(2, 1, 104, 105), use)[0].epoch, 1u);
}

TEST(RunRows, of_several_nodes_only_this_one_is_measured) {
    RunFrame one_of_many = frame();
    one_of_many.sees_all_nodes = false;
    RunRows rows(one_of_many);
    const auto made = rows.ended(event_of(0, 0, 110, 120), steady_use());
    ASSERT_EQ(made.size(), 2);
    EXPECT_EQ(made[0].unit, 0);
    EXPECT_DOUBLE_EQ(made[0].cpu_s, 20);
    EXPECT_EQ(made[1].unit, unit_model_job);
    EXPECT_TRUE(std::isnan(made[1].cpu_s));
    EXPECT_DOUBLE_EQ(made[1].wall_s, 10);
    EXPECT_EQ(made[1].peak_memory_bytes, absent_count);
}

TEST(RunRows, what_cannot_be_true_gives_no_row) {
    RunRows rows(frame());
    EXPECT_TRUE(rows.ended(event_of(0, 0, 110, 1e12), UseTrack()).empty());
}

TEST(RunRows, an_epoch_that_has_not_ended_is_partial) {
    RunRows rows(frame());
    UnfinishedEpoch epoch;
    epoch.begin_s = 110;
    epoch.fraction = 0.25;
    const auto made = rows.partial(epoch, 120, 1000, steady_use());
    ASSERT_EQ(made.size(), 1);
    EXPECT_EQ(made[0].flags, epoch_partial);
    EXPECT_EQ(made[0].steps, 250u);
    EXPECT_EQ(made[0].samples, 160u);
    EXPECT_DOUBLE_EQ(made[0].wall_s, 10);
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/use_track.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace epochcast {

namespace {

ProcessUse use_of(double cpu_s, std::uint64_t resident, std::uint64_t peak, std::uint64_t read) {
    ProcessUse use;
    use.cpu_s = cpu_s;
    use.resident_bytes = resident;
    use.peak_memory_bytes = peak;
    use.disk_read_bytes = read;
    return use;
}

}  // namespace

TEST(UseTrack, gives_the_use_between_two_times) {
    UseTrack track;
    track.add(0, use_of(0, 100, 100, 0));
    track.add(10, use_of(20, 500, 800, 1000));
    track.add(20, use_of(40, 300, 800, 1000));

    const ProcessUse first = track.between(5, 10);
    EXPECT_DOUBLE_EQ(first.cpu_s, 10);
    EXPECT_EQ(first.disk_read_bytes, 500);
    const ProcessUse both = track.between(0, 20);
    EXPECT_DOUBLE_EQ(both.cpu_s, 40);
    EXPECT_EQ(both.peak_memory_bytes, 800);  // reached in between, and between samples
    EXPECT_EQ(track.between(15, 20).peak_memory_bytes, 300);
    EXPECT_EQ(both.syscall_read_bytes, absent_count);
}

TEST(UseTrack, without_samples_nothing_is_known) {
    EXPECT_TRUE(std::isnan(UseTrack().between(0, 1).cpu_s));
    EXPECT_EQ(UseTrack().between(0, 1).peak_memory_bytes, absent_count);
}

TEST(UseTrack, a_process_that_ends_unaccounted_for_takes_nothing_back) {
    UseTrack track;
    track.add(0, use_of(0, 1, 1, 0));
    track.add(1, use_of(10, 1, 1, 100));
    track.add(2, use_of(4, 1, 1, 40));
    track.add(3, use_of(6, 1, 1, 60));
    EXPECT_DOUBLE_EQ(track.between(0, 3).cpu_s, 12);
    EXPECT_EQ(track.between(0, 3).disk_read_bytes, 120);
}

TEST(UseTrack, is_bounded_and_keeps_the_ends) {
    UseTrack track;
    for (int i = 0; i <= 100'000; ++i) track.add(i, use_of(2.0 * i, 1, 1, 0));
    EXPECT_LT(track.samples(), 5000);
    EXPECT_NEAR(track.between(0, 100'000).cpu_s, 200'000, 1e-6);
    EXPECT_NEAR(track.between(99'999, 100'000).cpu_s, 2, 1e-6);
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "select/waiting.hpp"

#include <gtest/gtest.h>

namespace epochcast::slurm {
namespace {

constexpr std::time_t now = 1000;
const int some_partition = 0;
const int other_partition = 0;

TEST(Waiting, a_job_waits_for_its_class_while_the_word_is_fresh) {
    Waiting waiting;
    EXPECT_EQ(waiting.class_of(7, &some_partition, now), -1);
    EXPECT_TRUE(waiting.begin(7, &some_partition, 2, now, 600));
    EXPECT_EQ(waiting.class_of(7, &some_partition, now + 60), 2);
    EXPECT_EQ(waiting.class_of(7, &some_partition, now + 61), -1);
    EXPECT_EQ(waiting.class_of(7, &other_partition, now), -1);
}

TEST(Waiting, one_job_of_a_partition_waits) {
    Waiting waiting;
    EXPECT_TRUE(waiting.begin(7, &some_partition, 2, now, 600));
    EXPECT_FALSE(waiting.begin(8, &some_partition, 2, now, 600));
    EXPECT_FALSE(waiting.ask(8, &some_partition, now));
    EXPECT_TRUE(waiting.begin(8, &other_partition, 2, now, 600));
    waiting.end(7);
    EXPECT_TRUE(waiting.begin(8, &some_partition, 2, now, 600));
}

TEST(Waiting, never_longer_than_allowed_in_all) {
    Waiting waiting;
    for (std::time_t t = now; t <= now + 600; t += 30) {
        EXPECT_TRUE(waiting.begin(7, &some_partition, 2, t, 600)) << t;
    }
    EXPECT_FALSE(waiting.begin(7, &some_partition, 2, now + 630, 600));
    EXPECT_EQ(waiting.class_of(7, &some_partition, now + 630), -1);
    EXPECT_FALSE(waiting.begin(7, &some_partition, 2, now + 660, 600));
}

TEST(Waiting, a_job_is_held_back_for_a_minute_until_it_is_told) {
    Waiting waiting;
    EXPECT_TRUE(waiting.ask(7, &some_partition, now));
    EXPECT_TRUE(waiting.ask(7, &some_partition, now + 60));
    EXPECT_FALSE(waiting.ask(7, &some_partition, now + 61));
}

TEST(Waiting, a_job_that_was_told_not_to_wait_does_not_ask_again) {
    Waiting waiting;
    EXPECT_TRUE(waiting.ask(7, &some_partition, now));
    waiting.end(7);
    EXPECT_FALSE(waiting.ask(7, &some_partition, now + 1));
    EXPECT_TRUE(waiting.ask(8, &some_partition, now + 1));
}

TEST(Waiting, more_partitions_than_places_do_without) {
    Waiting waiting;
    char partitions[70];
    int given = 0;
    for (uint32_t i = 0; i < 70; ++i) {
        if (waiting.begin(i + 1, &partitions[i], 0, now, 600)) ++given;
    }
    EXPECT_EQ(given, 64);
}

}  // namespace
}  // namespace epochcast::slurm

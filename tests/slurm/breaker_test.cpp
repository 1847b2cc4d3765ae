// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "select/breaker.hpp"

#include <gtest/gtest.h>

using epochcast::slurm::Breaker;

TEST(Breaker, stays_closed_while_calls_are_quick) {
    Breaker breaker;
    for (int i = 0; i < 10000; ++i) EXPECT_FALSE(breaker.count(50'000));
    EXPECT_FALSE(breaker.open(1));
}

TEST(Breaker, one_second_in_one_call_opens_it_and_says_so_once) {
    Breaker breaker;
    ASSERT_FALSE(breaker.open(1));
    EXPECT_TRUE(breaker.count(1'000'000'000));
    EXPECT_FALSE(breaker.count(1'000'000'000));
    EXPECT_TRUE(breaker.open(1));
}

TEST(Breaker, opens_when_the_mean_is_too_high_though_no_call_is) {
    Breaker breaker;
    ASSERT_FALSE(breaker.open(1));
    bool opened = false;
    for (std::uint32_t i = 0; i < Breaker::window_calls && !opened; ++i)
        opened = breaker.count(Breaker::mean_limit_ns + 1);
    EXPECT_TRUE(opened);
}

TEST(Breaker, an_old_slow_call_is_forgotten_after_its_window) {
    Breaker breaker;
    ASSERT_FALSE(breaker.open(1));
    EXPECT_FALSE(breaker.count(Breaker::mean_limit_ns * (Breaker::window_calls - 1)));
    for (std::uint32_t i = 1; i < Breaker::window_calls; ++i) EXPECT_FALSE(breaker.count(1000));
    EXPECT_FALSE(breaker.count(Breaker::mean_limit_ns * (Breaker::window_calls - 1)));
}

TEST(Breaker, is_not_opened_by_a_thread_that_was_kept_waiting_now_and_then) {
    Breaker breaker;
    ASSERT_FALSE(breaker.open(1));
    for (int i = 0; i < 1000; ++i)
        EXPECT_FALSE(breaker.count(i % 8 == 0 ? Breaker::stall_ns - 1 : 100'000)) << i;
}

TEST(Breaker, an_error_opens_it_and_a_reconfigure_closes_it) {
    Breaker breaker;
    ASSERT_FALSE(breaker.open(1));
    EXPECT_TRUE(breaker.trip());
    EXPECT_FALSE(breaker.trip());
    EXPECT_TRUE(breaker.open(1));
    EXPECT_FALSE(breaker.open(2));
}

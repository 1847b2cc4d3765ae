// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/flop_probe.hpp"

#include <sched.h>

#include <chrono>

#include <gtest/gtest.h>

namespace epochcast {
namespace {

TEST(FlopProbe, measures_every_allowed_cpu_for_the_time_given) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    const auto start = std::chrono::steady_clock::now();
    const FlopProbe probe = probe_flop_rate(0.2, 4);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(probe.threads, static_cast<std::uint32_t>(CPU_COUNT(&allowed)));
    EXPECT_GT(probe.flop_rate, 1e7);  // a slow core under valgrind
    EXPECT_LT(probe.flop_rate, 1e16);
    EXPECT_GE(probe.spread, 0);
    EXPECT_GE(took.count(), 0.2);
}

TEST(FlopProbe, one_part_has_no_spread) {
    const FlopProbe probe = probe_flop_rate(0.05, 1);
    EXPECT_GT(probe.flop_rate, 0);
    EXPECT_EQ(probe.spread, 0);
    EXPECT_GT(probe_flop_rate(0.05, 0).flop_rate, 0) << "no parts means one";
}

TEST(FlopProbe, fewer_cpus_give_fewer_threads) {
    cpu_set_t before;
    CPU_ZERO(&before);
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    int first = 0;
    while (!CPU_ISSET(first, &before)) {
        ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(probe_flop_rate(0.05, 1).threads, 1U);
    sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/idle_profile.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

TEST(IdleProfile, a_short_job_fills_the_hole_before_a_reservation) {
    IdleProfile profile(0, 2);
    profile.take(0, 1, 10);
    EXPECT_EQ(profile.earliest(2, 5), 10);
    profile.take(10, 2, 5);
    EXPECT_EQ(profile.earliest(1, 10), 0);
    EXPECT_EQ(profile.earliest(1, 10.5), 15);
    profile.take(0, 1, 10);
    EXPECT_EQ(profile.earliest(1, 1), 15);
    EXPECT_TRUE(std::isinf(profile.earliest(3, 1)));
}

}  // namespace
}  // namespace epochcast::simulate

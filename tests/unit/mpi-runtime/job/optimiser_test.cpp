// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/optimiser.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast::runtime {
namespace {

using testing::ElementsAre;

TEST(Optimiser, descends_with_momentum) {
    std::vector<float> parameters{1, 2};
    std::vector<float> velocity{0, 10};
    const std::vector<float> gradient{4, -1};
    descend(parameters, velocity, gradient, 0.5F, 0.25F);
    EXPECT_THAT(velocity, ElementsAre(4, 1.5));
    EXPECT_THAT(parameters, ElementsAre(-1, 1.25));
}

TEST(Optimiser, adds_and_averages_element_by_element) {
    std::vector<float> sum{1, 2};
    add_to(sum, std::vector<float>{10, 20});
    EXPECT_THAT(sum, ElementsAre(11, 22));
    std::vector<float> running{10, 0};
    average_in(running, std::vector<float>{20, 10});
    EXPECT_FLOAT_EQ(running[0], 11);
    EXPECT_FLOAT_EQ(running[1], 1);
}

TEST(BitDigest, tells_values_apart_that_compare_equal) {
    EXPECT_EQ(bit_digest({}), "cbf29ce484222325");
    const std::vector<float> plus{0.0F};
    const std::vector<float> minus{-0.0F};
    EXPECT_EQ(bit_digest(plus).size(), 16U);
    EXPECT_NE(bit_digest(plus), bit_digest(minus));
}

}  // namespace
}  // namespace epochcast::runtime

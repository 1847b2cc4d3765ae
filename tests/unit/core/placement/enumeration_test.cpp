// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/enumeration.hpp"

#include <gtest/gtest.h>

namespace epochcast {
namespace {

using Counts = std::vector<std::uint32_t>;

const Forecast* nothing(std::uint32_t, std::uint32_t, std::uint32_t) { return nullptr; }

TEST(Enumeration, lists_every_class_count_and_device_within_the_limits) {
    const std::vector<ClassOffer> offers{{7, 2, 1, 1.5, 1000, 30}, {9, 1, 4}};
    const Forecast forecast;
    const auto candidates = enumerate_placements(
        {1, 2, 1, 2}, offers, [&](std::uint32_t c, std::uint32_t, std::uint32_t devices) {
            return c == 9 && devices == 2 ? &forecast : nullptr;
        });
    // Class 7: 1 and 2 nodes with its one device; class 9: its one node with 1 and 2 devices.
    ASSERT_EQ(candidates.size(), 4u);
    EXPECT_EQ(candidates[1].class_index, 7u);
    EXPECT_EQ(candidates[1].nodes, 2u);
    EXPECT_EQ(candidates[1].devices_per_node, 1u);
    EXPECT_EQ(candidates[1].price_per_node_hour, 1.5);
    EXPECT_EQ(candidates[1].memory_bytes, 1000u);
    EXPECT_EQ(candidates[1].wait_s, 30);
    EXPECT_EQ(candidates[2].forecast, nullptr);
    EXPECT_EQ(candidates[3].devices_per_node, 2u);
    EXPECT_EQ(candidates[3].forecast, &forecast);
}

TEST(Enumeration, long_ranges_are_thinned_to_powers_of_two_and_their_ends) {
    EXPECT_EQ(counts_within(3, 6), (Counts{3, 4, 5, 6}));
    EXPECT_EQ(counts_within(1, 8), (Counts{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(counts_within(3, 100), (Counts{3, 4, 8, 16, 32, 64, 100}));
    EXPECT_EQ(counts_within(1, 64), (Counts{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(counts_within(0, 2), (Counts{1, 2}));
    EXPECT_EQ(counts_within(5, 5), (Counts{5}));
    EXPECT_TRUE(counts_within(2, 1).empty());
    EXPECT_TRUE(counts_within(0, 0).empty());
    EXPECT_EQ(counts_within(4294967295u, 4294967295u), (Counts{4294967295u}));
    EXPECT_EQ(counts_within(1, 4294967295u).size(), 33u);
}

TEST(Enumeration, a_job_without_devices_fits_anywhere_and_a_class_without_nodes_nowhere) {
    const std::vector<ClassOffer> offers{{0, 0, 8}, {1, 3, 8}};
    const auto candidates = enumerate_placements({1, 1, 0, 0}, offers, nothing);
    ASSERT_EQ(candidates.size(), 1u);
    EXPECT_EQ(candidates[0].class_index, 1u);
    EXPECT_EQ(candidates[0].devices_per_node, 0u);
    EXPECT_TRUE(enumerate_placements({4, 9, 0, 0}, offers, nothing).empty());
    EXPECT_TRUE(enumerate_placements({1, 1, 9, 16}, offers, nothing).empty());
}

}  // namespace
}  // namespace epochcast

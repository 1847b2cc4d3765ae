// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/seed.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast::runtime {
namespace {

// A changed number here means that every job's results change.
TEST(Seed, is_the_same_on_every_machine) {
    EXPECT_THAT(epoch_order(1, 0, 8), testing::ElementsAre(7U, 6U, 3U, 2U, 5U, 4U, 0U, 1U));
    EXPECT_EQ(micro_batch_seed(1, 0, 0, 0), 2683531011176933933ULL);
}

TEST(Seed, depends_on_job_epoch_step_and_micro_batch) {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t job = 0; job < 4; ++job) {
        for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
            for (std::uint64_t step = 0; step < 4; ++step) {
                for (std::uint32_t micro_batch = 0; micro_batch < 4; ++micro_batch) {
                    seeds.insert(micro_batch_seed(job, epoch, step, micro_batch));
                }
            }
        }
        seeds.insert(parameter_seed(job));
    }
    EXPECT_EQ(seeds.size(), 4U * 4 * 4 * 4 + 4);
}

TEST(EpochOrder, holds_every_sample_once_and_differs_between_epochs) {
    const auto first = epoch_order(1, 0, 1000);
    auto sorted = first;
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> all(1000);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
    EXPECT_NE(first, all);
    EXPECT_NE(first, epoch_order(1, 1, 1000));
    EXPECT_NE(first, epoch_order(2, 0, 1000));
    EXPECT_EQ(first, epoch_order(1, 0, 1000));
    EXPECT_THAT(epoch_order(1, 0, 1), testing::ElementsAre(0U));
}

// Each place gets each sample about equally often: 6 standard deviations of a fair shuffle.
TEST(EpochOrder, prefers_no_sample_for_a_place) {
    constexpr int epochs = 6000;
    std::vector<int> first_places(6);
    for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
        ++first_places[epoch_order(3, epoch, 6)[0]];
    }
    for (const int count : first_places) {
        EXPECT_NEAR(count, epochs / 6, 6 * 29);
    }
}

}  // namespace
}  // namespace epochcast::runtime

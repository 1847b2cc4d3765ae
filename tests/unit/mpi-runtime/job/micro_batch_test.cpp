// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/micro_batch.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast::runtime {
namespace {

using testing::ElementsAre;

TEST(EpochCut, cuts_an_epoch_into_steps_and_micro_batches) {
    const EpochCut cut{.samples = 100, .batch = 64, .micro_batch = 16};
    EXPECT_EQ(cut.steps(), 2U);
    EXPECT_THAT(
        cut.micro_batches(0),
        ElementsAre(MicroBatch{0, 16}, MicroBatch{16, 16}, MicroBatch{32, 16}, MicroBatch{48, 16}));
    EXPECT_THAT(cut.micro_batches(1),
                ElementsAre(MicroBatch{64, 16}, MicroBatch{80, 16}, MicroBatch{96, 4}));
    EXPECT_EQ(cut.micro_batches_per_step(), 4U);
    EXPECT_EQ(cut.smallest_micro_batch(), 4U);
}

// Every sample is in exactly one micro-batch, whatever the sizes.
TEST(EpochCut, loses_and_repeats_no_sample) {
    for (std::uint64_t samples = 1; samples <= 40; ++samples) {
        for (std::uint32_t batch = 1; batch <= 20; ++batch) {
            for (std::uint32_t micro_batch = 1; micro_batch <= batch; ++micro_batch) {
                const EpochCut cut{samples, batch, micro_batch};
                std::uint64_t next = 0;
                std::uint32_t smallest = micro_batch;
                std::uint32_t most = 0;
                for (std::uint64_t step = 0; step < cut.steps(); ++step) {
                    std::uint32_t in_step = 0;
                    for (const MicroBatch& one : cut.micro_batches(step)) {
                        ASSERT_EQ(one.begin, next);
                        ASSERT_GE(one.samples, 1U);
                        ASSERT_LE(one.samples, micro_batch);
                        smallest = std::min(smallest, one.samples);
                        next += one.samples;
                        in_step += one.samples;
                    }
                    ASSERT_EQ(in_step, cut.step_samples(step));
                    most =
                        std::max(most, static_cast<std::uint32_t>(cut.micro_batches(step).size()));
                }
                ASSERT_EQ(next, samples);
                ASSERT_EQ(cut.smallest_micro_batch(), smallest)
                    << samples << " " << batch << " " << micro_batch;
                ASSERT_EQ(cut.micro_batches_per_step(), most);
            }
        }
    }
}

TEST(EpochCut, an_epoch_larger_than_32_bits_has_the_right_steps) {
    const EpochCut cut{.samples = 10'000'000'000, .batch = 64, .micro_batch = 16};
    EXPECT_EQ(cut.steps(), 156'250'000U);
    EXPECT_EQ(cut.micro_batches(156'249'999).back(), (MicroBatch{9'999'999'984, 16}));
}

TEST(ShareOfNode, shares_are_consecutive_and_nearly_equal) {
    EXPECT_EQ(share_of_node(4, 0, 2), (MicroBatchRange{0, 2}));
    EXPECT_EQ(share_of_node(4, 1, 2), (MicroBatchRange{2, 4}));
    for (std::uint32_t count = 0; count <= 33; ++count) {
        for (std::uint32_t nodes = 1; nodes <= 9; ++nodes) {
            std::uint32_t next = 0;
            for (std::uint32_t node = 0; node < nodes; ++node) {
                const auto share = share_of_node(count, node, nodes);
                ASSERT_EQ(share.begin, next);
                ASSERT_GE(share.count(), count / nodes);
                ASSERT_LE(share.count(), count / nodes + 1);
                next = share.end;
            }
            ASSERT_EQ(next, count);
        }
    }
}

}  // namespace
}  // namespace epochcast::runtime

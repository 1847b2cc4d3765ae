// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "store/board.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "store/shared_memory.hpp"

namespace epochcast::runtime {
namespace {

const BoardSize example{.workers = 2,
                        .index_capacity = 16,
                        .results = 4,
                        .image_bytes = 784,
                        .parameter_floats = 1000,
                        .statistic_floats = 32,
                        .train_samples = 100,
                        .test_samples = 10};

// Memory as agent and zygote share it.
class FormattedBoard : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(memory_.resize(plan_.total_bytes).ok());
        auto base = memory_.map();
        ASSERT_TRUE(base.ok());
        base_ = base.value();
        board_ = Board::format(base_, plan_);
    }
    BoardPlan plan_ = plan_board(example);
    SharedMemory memory_ = SharedMemory::create().value();
    std::byte* base_ = nullptr;
    Board board_;
};

TEST_F(FormattedBoard, a_second_view_finds_everything_by_the_header) {
    board_.parameters()[999] = 4.5F;
    board_.gradients(3)[0] = 7;
    board_.test_labels()[9] = 3;
    const Board other(base_);
    EXPECT_EQ(other.header().magic, board_magic);
    EXPECT_EQ(other.plan().size.workers, 2U);
    EXPECT_EQ(other.parameters()[999], 4.5F);
    EXPECT_EQ(other.gradients(3)[0], 7);
    EXPECT_EQ(other.test_labels()[9], 3);
}

TEST_F(FormattedBoard, no_two_areas_overlap) {
    std::vector<std::span<std::byte>> areas;
    const auto add = [&](auto span) { areas.push_back(std::as_writable_bytes(span)); };
    add(std::span(&board_.header(), 1));
    for (std::uint32_t worker = 0; worker < example.workers; ++worker) {
        add(std::span(&board_.slot(worker), 1));
        add(board_.indices(worker));
    }
    add(board_.parameters());
    add(board_.statistics());
    add(std::span(&board_.node_head(), 1));
    for (std::uint32_t i = 0; i < example.results; ++i) {
        add(std::span(&board_.result(i), 1));
        add(board_.gradients(i));
        add(board_.batch_statistics(i));
    }
    add(board_.train_images());
    add(board_.train_labels());
    add(board_.test_images());
    add(board_.test_labels());
    std::ranges::sort(areas, {}, [](auto area) { return area.data(); });
    for (std::size_t i = 1; i < areas.size(); ++i) {
        EXPECT_LE(areas[i - 1].data() + areas[i - 1].size(), areas[i].data()) << i;
    }
    EXPECT_EQ(areas.front().data(), base_);
    EXPECT_LE(areas.back().data() + areas.back().size(), base_ + plan_.total_bytes);
}

TEST_F(FormattedBoard, floats_start_on_cache_lines) {
    const auto is_aligned = [](const float* at) {
        return reinterpret_cast<std::uintptr_t>(at) % board_alignment == 0;
    };
    EXPECT_TRUE(is_aligned(board_.parameters().data()));
    EXPECT_TRUE(is_aligned(board_.statistics().data()));
    for (std::uint32_t i = 0; i < example.results; ++i) {
        EXPECT_TRUE(is_aligned(board_.gradients(i).data()));
    }
}

TEST_F(FormattedBoard, a_node_block_is_the_head_and_the_first_results) {
    board_.node_head().stop_signal = 15;
    board_.result(1).loss_sum = 2.5;
    board_.gradients(1)[3] = -1;
    const auto block = board_.node_block(2);
    ASSERT_EQ(block.size(), sizeof(NodeHead) + 2 * plan_.result_bytes);
    EXPECT_EQ(reinterpret_cast<const NodeHead*>(block.data())->stop_signal, 15U);
    const auto results = block.subspan(sizeof(NodeHead));
    EXPECT_EQ(result_in(results, plan_.result_bytes, 1).loss_sum, 2.5);
    EXPECT_EQ(floats_in(results, plan_.result_bytes, 1, 1032)[3], -1);
    EXPECT_EQ(board_.node_block(0).size(), sizeof(NodeHead));
}

TEST(BoardPlan, empty_parts_take_no_room_of_others) {
    const BoardPlan plan = plan_board({.parameter_floats = 16, .train_samples = 0});
    EXPECT_EQ(plan.train_images_at % 64, 0U);
    EXPECT_LE(plan.test_labels_at, plan.total_bytes);
}

TEST(BoardPlan, sizes_beyond_32_bits_are_kept) {
    const BoardPlan plan = plan_board({.results = 1000,
                                       .image_bytes = 150'528,
                                       .parameter_floats = 100'000'000,
                                       .train_samples = 1'300'000});
    EXPECT_GT(plan.total_bytes, 1000ULL * 400'000'000 + 1'300'000ULL * 150'528);
}

TEST(SharedMemory, without_a_size_it_cannot_be_mapped) {
    auto memory = SharedMemory::create().value();
    EXPECT_EQ(memory.map().error().kind, ErrorKind::environment);
    EXPECT_FALSE(SharedMemory(-1).resize(10).ok());
}

}  // namespace
}  // namespace epochcast::runtime

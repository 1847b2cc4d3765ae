// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "store/board.hpp"

#include <new>

namespace epochcast::runtime {

namespace {

constexpr std::uint64_t page_bytes = 4096;

constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t to) {
    return (bytes + to - 1) / to * to;
}

// Hands out consecutive, aligned areas.
struct Areas {
    std::uint64_t next = 0;
    std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment = page_bytes) {
        const std::uint64_t at = rounded_up(next, alignment);
        next = at + bytes;
        return at;
    }
};

}  // namespace

BoardPlan plan_board(const BoardSize& size) {
    BoardPlan plan;
    plan.size = size;
    plan.slot_bytes =
        rounded_up(sizeof(Slot) + size.index_capacity * sizeof(std::uint32_t), board_alignment);
    plan.result_bytes = rounded_up(
        sizeof(ResultHead) + (size.parameter_floats + size.statistic_floats) * sizeof(float),
        board_alignment);

    Areas areas;
    areas.take(sizeof(BoardHeader));
    plan.slots_at = areas.take(plan.slot_bytes * size.workers);
    plan.parameters_at = areas.take(size.parameter_floats * sizeof(float));
    plan.statistics_at = areas.take(size.statistic_floats * sizeof(float));
    plan.node_head_at = areas.take(sizeof(NodeHead));
    plan.results_at = areas.take(plan.result_bytes * size.results, board_alignment);
    plan.train_images_at = areas.take(size.train_samples * size.image_bytes);
    plan.train_labels_at = areas.take(size.train_samples);
    plan.test_images_at = areas.take(size.test_samples * size.image_bytes);
    plan.test_labels_at = areas.take(size.test_samples);
    plan.total_bytes = rounded_up(areas.next, page_bytes);
    return plan;
}

Board Board::format(std::byte* base, const BoardPlan& plan) {
    (new (base) BoardHeader)->plan = plan;
    for (std::uint32_t worker = 0; worker < plan.size.workers; ++worker) {
        new (base + plan.slots_at + worker * plan.slot_bytes) Slot;
    }
    new (base + plan.node_head_at) NodeHead;
    return Board(base);
}

Slot& Board::slot(std::uint32_t worker) const {
    return *at<Slot>(plan().slots_at + worker * plan().slot_bytes);
}

std::span<std::uint32_t> Board::indices(std::uint32_t worker) const {
    const auto offset = plan().slots_at + worker * plan().slot_bytes + sizeof(Slot);
    return {at<std::uint32_t>(offset), plan().size.index_capacity};
}

std::span<float> Board::parameters() const {
    return {at<float>(plan().parameters_at), plan().size.parameter_floats};
}

std::span<float> Board::statistics() const {
    return {at<float>(plan().statistics_at), plan().size.statistic_floats};
}

ResultHead& Board::result(std::uint32_t index) const {
    return *at<ResultHead>(plan().results_at + index * plan().result_bytes);
}

std::span<float> Board::gradients(std::uint32_t index) const {
    const auto offset = plan().results_at + index * plan().result_bytes + sizeof(ResultHead);
    return {at<float>(offset), plan().size.parameter_floats};
}

std::span<float> Board::batch_statistics(std::uint32_t index) const {
    return {gradients(index).data() + plan().size.parameter_floats, plan().size.statistic_floats};
}

std::span<std::uint8_t> Board::train_images() const {
    return {at<std::uint8_t>(plan().train_images_at),
            plan().size.train_samples * plan().size.image_bytes};
}

std::span<std::uint8_t> Board::train_labels() const {
    return {at<std::uint8_t>(plan().train_labels_at), plan().size.train_samples};
}

std::span<std::uint8_t> Board::test_images() const {
    return {at<std::uint8_t>(plan().test_images_at),
            plan().size.test_samples * plan().size.image_bytes};
}

std::span<std::uint8_t> Board::test_labels() const {
    return {at<std::uint8_t>(plan().test_labels_at), plan().size.test_samples};
}

std::span<const std::byte> Board::node_block(std::size_t results) const {
    return {base_ + plan().node_head_at, sizeof(NodeHead) + results * plan().result_bytes};
}

const ResultHead& result_in(std::span<const std::byte> results,
                            std::uint64_t result_bytes,
                            std::size_t i) {
    return *reinterpret_cast<const ResultHead*>(results.data() + i * result_bytes);
}

std::span<const float> floats_in(std::span<const std::byte> results,
                                 std::uint64_t result_bytes,
                                 std::size_t i,
                                 std::uint64_t floats) {
    const auto* at = results.data() + i * result_bytes + sizeof(ResultHead);
    return {reinterpret_cast<const float*>(at), floats};
}

}  // namespace epochcast::runtime

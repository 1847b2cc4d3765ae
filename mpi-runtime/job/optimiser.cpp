// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/optimiser.hpp"

#include <array>
#include <cassert>
#include <cinttypes>
#include <cstdio>

namespace epochcast::runtime {

namespace {

constexpr float statistics_momentum = 0.1F;

}  // namespace

void add_to(std::span<float> to, std::span<const float> from) {
    assert(to.size() == from.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] += from[i];
    }
}

void descend(std::span<float> parameters,
             std::span<float> velocity,
             std::span<const float> gradient,
             float learning_rate,
             float momentum) {
    assert(parameters.size() == velocity.size() && velocity.size() == gradient.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        velocity[i] = momentum * velocity[i] + gradient[i];
        parameters[i] -= learning_rate * velocity[i];
    }
}

void average_in(std::span<float> running, std::span<const float> of_micro_batch) {
    assert(running.size() == of_micro_batch.size());
    for (std::size_t i = 0; i < running.size(); ++i) {
        running[i] =
            (1.0F - statistics_momentum) * running[i] + statistics_momentum * of_micro_batch[i];
    }
}

std::string bit_digest(std::span<const float> values) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::byte byte : std::as_bytes(values)) {
        hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    }
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016" PRIx64, hash);
    return text.data();
}

}  // namespace epochcast::runtime

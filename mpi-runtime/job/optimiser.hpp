// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The aggregate half of a step, in plain loops over flat memory: sums in micro-batch order, then
// one optimiser step. The order of additions is fixed, so every node gets the same bits.

#include <cstdint>
#include <span>
#include <string>

namespace epochcast::runtime {

// to[i] += from[i].
void add_to(std::span<float> to, std::span<const float> from);

// Stochastic gradient descent with momentum: velocity = momentum x velocity + gradient;
// parameters -= learning_rate x velocity.
void descend(std::span<float> parameters,
             std::span<float> velocity,
             std::span<const float> gradient,
             float learning_rate,
             float momentum);

// Moves running statistics towards a micro-batch's own by a tenth (libtorch's default momentum).
void average_in(std::span<float> running, std::span<const float> of_micro_batch);

// FNV-1a over the bits of the values, as 16 hexadecimal digits: equal for equal bits only, up to
// chance. For comparing runs.
std::string bit_digest(std::span<const float> values);

}  // namespace epochcast::runtime

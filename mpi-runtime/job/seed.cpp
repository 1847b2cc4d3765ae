// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/seed.hpp"

#include <initializer_list>
#include <numeric>
#include <utility>

namespace epochcast::runtime {

namespace {

// What a seed is for, so that two uses never share one.
enum class Purpose : std::uint64_t { parameters = 1, dropout = 2, order = 3 };

// Finalizer of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

std::uint64_t seed_of(Purpose purpose, std::initializer_list<std::uint64_t> parts) {
    std::uint64_t state = mixed(static_cast<std::uint64_t>(purpose));
    for (const auto part : parts) {
        state = mixed(state ^ part);
    }
    return state;
}

// A number in [0, bound) from 64 random bits: the high half of their product.
std::uint32_t below(std::uint64_t random, std::uint32_t bound) {
    return static_cast<std::uint32_t>(((random >> 32) * bound) >> 32);
}

}  // namespace

std::uint64_t parameter_seed(std::uint64_t job_seed) {
    return seed_of(Purpose::parameters, {job_seed});
}

std::uint64_t micro_batch_seed(std::uint64_t job_seed,
                               std::uint64_t epoch,
                               std::uint64_t step,
                               std::uint32_t micro_batch) {
    return seed_of(Purpose::dropout, {job_seed, epoch, step, micro_batch});
}

std::vector<std::uint32_t> epoch_order(std::uint64_t job_seed,
                                       std::uint64_t epoch,
                                       std::uint32_t samples) {
    std::vector<std::uint32_t> order(samples);
    std::iota(order.begin(), order.end(), 0U);
    const std::uint64_t seed = seed_of(Purpose::order, {job_seed, epoch});
    for (std::uint32_t left = samples; left > 1; --left) {
        std::swap(order[left - 1], order[below(mixed(seed + left), left)]);
    }
    return order;
}

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A small generator of pseudo-random numbers with an explicit seed. The standard library's
// distributions differ between implementations; these give the same bits everywhere.

#include <cmath>
#include <cstdint>

namespace epochcast {

// SplitMix64 (Steele, Lea, Flood 2014). Not for secrets.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t bits = state_;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
        return bits ^ (bits >> 31);
    }

    // In [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    // In [0, bound); bound >= 1. The bias is below bound / 2^32.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

    // Exponentially distributed, mean 1.
    double exponential() { return -std::log1p(-uniform()); }

    // Normally distributed, mean 0 and deviation 1 (Box and Muller 1958; one of the pair is used).
    double normal() {
        const double radius = std::sqrt(2 * exponential());
        return radius * std::cos(6.283185307179586 * uniform());
    }

  private:
    std::uint64_t state_;
};

}  // namespace epochcast

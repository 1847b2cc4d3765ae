// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The natural logarithm of utilities. The C library's differs in its last bit between versions and
// processors, so that near ties would break differently; this one has the same bits everywhere, and
// a loop over it is turned into vector instructions.

#include <bit>
#include <cstdint>
#include <span>

namespace epochcast {

// Of a finite value > 0, within one unit in the last place; anything else gives no meaningful
// number. ln x = k ln 2 + ln m with m between the roots of 1/2 and 2; with f = m - 1 and
// s = f / (2 + f), ln m = 2 (s + s^3/3 + s^5/5 + ...), arranged so that f itself is added last.
inline double natural_log(double x) {
    constexpr std::uint64_t one = 0x3ff0000000000000u;        // 1.0
    constexpr std::uint64_t half_root = 0x3fe6a09e667f3bcdu;  // the root of 1/2
    constexpr std::uint64_t two_to_52 = 0x4330000000000000u;  // 2^52, whose last bit counts 1
    const bool is_tiny = x < 0x1p-1022;
    const auto bits = std::bit_cast<std::uint64_t>(is_tiny ? x * 0x1p54 : x);
    const std::uint64_t biased = (bits + (one - half_root)) >> 52;  // k + 1023
    const double m = std::bit_cast<double>(bits - (biased << 52) + one);
    const double k =
        std::bit_cast<double>(biased | two_to_52) - (0x1p52 + 1023) - (is_tiny ? 54.0 : 0.0);
    const double f = m - 1;
    const double s = f / (2 + f);
    const double z = s * s;
    const double half = 0.5 * f * f;
    double series = 2.0 / 23;
    series = 2.0 / 21 + z * series;
    series = 2.0 / 19 + z * series;
    series = 2.0 / 17 + z * series;
    series = 2.0 / 15 + z * series;
    series = 2.0 / 13 + z * series;
    series = 2.0 / 11 + z * series;
    series = 2.0 / 9 + z * series;
    series = 2.0 / 7 + z * series;
    series = 2.0 / 5 + z * series;
    series = 2.0 / 3 + z * series;
    // ln 2 in two parts, of which the first times k is exact.
    constexpr double ln2_high = 0x1.62e42fefa3800p-1;
    constexpr double ln2_low = 0x1.ef35793c76730p-45;
    return k * ln2_high - ((half - (s * (half + z * series) + k * ln2_low)) - f);
}

// sums[i] += weight * ln(values[i]); NaN where values[i] is not finite and > 0.
void add_weighted_logs(double weight, std::span<const double> values, std::span<double> sums);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/enumeration.hpp"

#include <algorithm>

namespace epochcast {

namespace {

constexpr std::uint32_t listed_counts = 8;  // a range no longer than this is listed in full

}  // namespace

std::vector<std::uint32_t> counts_within(std::uint32_t least, std::uint32_t most) {
    least = std::max(least, 1u);
    std::vector<std::uint32_t> counts;
    if (least > most) return counts;
    if (most - least < listed_counts) {
        for (std::uint32_t count = least; count <= most && count >= least; ++count) {
            counts.push_back(count);
        }
        return counts;
    }
    counts.push_back(least);
    for (std::uint64_t count = 1; count < most; count *= 2) {
        if (count > least) counts.push_back(static_cast<std::uint32_t>(count));
    }
    counts.push_back(most);
    return counts;
}

}  // namespace epochcast

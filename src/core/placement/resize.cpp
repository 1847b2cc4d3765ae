// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/resize.hpp"

#include <array>
#include <cmath>

namespace epochcast {

namespace {

RankedPlacement judge(const Policy& policy,
                      std::uint64_t epochs,
                      const Candidate& candidate,
                      const Limits& limits) {
    return rank_placements(policy, epochs, std::array{candidate}, limits).front();
}

}  // namespace

std::optional<double> marginal_utility(const Policy& policy,
                                       std::uint64_t epochs_left,
                                       const Candidate& now,
                                       const Candidate& other) {
    const double before = judge(policy, epochs_left, now, {}).utility;
    const double after = judge(policy, epochs_left, other, {}).utility;
    if (std::isnan(before) || std::isnan(after)) return std::nullopt;
    return after - before;
}

bool may_grow(const Policy& policy,
              std::uint64_t epochs_left,
              const Candidate& now,
              const Candidate& larger,
              const Limits& limits) {
    const RankedPlacement before = judge(policy, epochs_left, now, limits);
    const RankedPlacement after = judge(policy, epochs_left, larger, limits);
    return after.utility > before.utility && after.overrun <= before.overrun;
}

bool may_give_back(std::uint64_t epochs_left, const Candidate& smaller, const Limits& limits) {
    const RankedPlacement after = judge(Policy{0, 1, 0}, epochs_left, smaller, limits);
    return after.unrankable == Unrankable::none && after.overrun == 0;
}

}  // namespace epochcast

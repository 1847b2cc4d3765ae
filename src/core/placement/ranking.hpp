// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Ranks the placements that a job could take, best first, and says why.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/forecast.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

// One placement that the job could take. The pointed-to forecast outlives the call; null: none.
struct Candidate {
    std::uint32_t class_index = 0;  // the caller's own index of the class
    std::uint32_t nodes = 1;
    const Forecast* forecast = nullptr;
    double price_per_node_hour = absent;
    double wait_s = 0;  // expected wait until it could start
};

// Why a placement has no utility; `none` when it has one.
enum class Unrankable : std::uint8_t { none, no_forecast, no_price, no_samples };

struct RankedPlacement {
    std::uint32_t class_index = 0;
    std::uint32_t nodes = 1;
    Criteria criteria;  // NaN where unknown
    double utility = absent;
    Unrankable unrankable = Unrankable::none;
};

// Best first; equal utilities are ordered by cost, then time, then class_index, then nodes, so ties
// break the same way everywhere. Placements without a utility come last in class_index order.
std::vector<RankedPlacement> rank_placements(const Policy& policy,
                                             std::uint64_t epochs,
                                             std::span<const Candidate> candidates);

// "no forecast for this task here", ...: what a person reads.
const char* to_text(Unrankable reason);

}  // namespace epochcast

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
#include "core/utility/limits.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

// One placement that the job could take. The pointed-to forecast outlives the call; null: none.
struct Candidate {
    std::uint32_t class_index = 0;  // the caller's own index of the class
    std::uint32_t nodes = 1;
    const Forecast* forecast = nullptr;
    double price_per_node_hour = absent;
    double wait_s = 0;  // expected wait until it could start
    std::uint32_t devices_per_node = 0;
    std::uint64_t memory_bytes = absent_count;  // of one node; absent: not known, taken to suffice
};

// Why a placement has no utility; `none` when it has one.
enum class Unrankable : std::uint8_t { none, no_forecast, no_price, no_samples, no_memory };

struct RankedPlacement {
    std::uint32_t class_index = 0;
    std::uint32_t nodes = 1;
    Criteria criteria;  // NaN where unknown
    double utility = absent;
    Unrankable unrankable = Unrankable::none;
    std::uint32_t devices_per_node = 0;
    double overrun = 0;  // of the limits; see overrun()
};

// Best first, in the order of is_better() (limits.hpp); equals by class_index, nodes and
// devices_per_node, so that ties break the same way everywhere. Placements without a utility come
// last in that order, those whose memory is too small after all others: a task whose forecast peak
// memory exceeds a node's cannot run there.
std::vector<RankedPlacement> rank_placements(const Policy& policy,
                                             std::uint64_t epochs,
                                             std::span<const Candidate> candidates,
                                             const Limits& limits = {});

// "no forecast for this task here", ...: what a person reads.
const char* to_text(Unrankable reason);

}  // namespace epochcast

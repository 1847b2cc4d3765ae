// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How much longer a step takes on one class than on another, for the rules that change the class.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/forecast/rules.hpp"
#include "core/forecast/statistics.hpp"

namespace epochcast {

struct ClassRatio {
    double log_ratio = 0;  // ln of time there over time here
    double spread = 0;     // expected error of it, one standard deviation
    std::string words;     // "by the ratio of 3 other tasks"
};

// From an own placement to the same count on another class; absent where nothing tells it.
std::optional<ClassRatio> class_ratio(const Query& query,
                                      std::uint32_t from,
                                      const std::string& to_class);

// ln of time on the second placement over time on the first, as each other model that ran on both
// had it at each batch; those that relate to the query's other placements as this model does weigh
// more.
std::vector<Weighed> ratios_of_others(const Query& query, std::uint32_t from, std::uint32_t to);

}  // namespace epochcast

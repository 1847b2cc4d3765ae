// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What models showed on two placements both: the evidence for scaling from one to the other.

#include <cstdint>
#include <vector>

#include "core/forecast/rules.hpp"

namespace epochcast {

// One batch size of one model on two placements.
struct PairRow {
    std::uint32_t family = 0;
    double batch = 1;     // on the second placement
    double log_from = 0;  // ln time on the first, at the same batch
    double log_to = 0;    // ln time on the second
    double weight = 1;    // 1 over the rows of its family
};

// The rows of all families but the query's own. Where a family has no batch in common on the two
// placements, its nearest batches within a factor of 4 are brought together by the usual
// elasticity. Times are per step where both sides know their steps, else per pass.
std::vector<PairRow> rows_of_others(const Query& query, std::uint32_t from, std::uint32_t to);

// The same for the query's own family.
std::vector<PairRow> own_rows(const Query& query, std::uint32_t from, std::uint32_t to);

}  // namespace epochcast

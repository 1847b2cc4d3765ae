// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/pair_rows.hpp"

#include <cmath>

namespace epochcast {

namespace {

// As in batch_curve.cpp: elasticity of a step's time over its batch where nothing is known.
constexpr double usual_elasticity = 0.75;
constexpr double largest_batch_factor = 4;

PairRow pair_of(const CurvePoint& from, const CurvePoint& to) {
    const bool by_step = std::isfinite(from.log_step) && std::isfinite(to.log_step);
    PairRow row;
    row.batch = to.batch;
    row.log_from = by_step ? from.log_step : from.log_pass;
    row.log_to = by_step ? to.log_step : to.log_pass;
    row.log_from += usual_elasticity * std::log(to.batch / from.batch);
    return row;
}

// Appends the rows of one family.
void append_rows(const Family& family,
                 std::uint32_t number,
                 std::uint32_t from,
                 std::uint32_t to,
                 std::vector<PairRow>& rows) {
    const auto from_curve = family.curves.find(from);
    const auto to_curve = family.curves.find(to);
    if (from_curve == family.curves.end() || to_curve == family.curves.end()) return;
    const std::size_t first = rows.size();
    const CurvePoint* nearest_from = nullptr;
    const CurvePoint* nearest_to = nullptr;
    double nearest = std::log(largest_batch_factor);
    for (const CurvePoint& a : from_curve->second) {
        for (const CurvePoint& b : to_curve->second) {
            if (a.batch == b.batch) rows.push_back(pair_of(a, b));
            const double distance = std::abs(std::log(a.batch / b.batch));
            if (distance > nearest) continue;
            nearest = distance;
            nearest_from = &a;
            nearest_to = &b;
        }
    }
    if (rows.size() == first && nearest_from != nullptr) {
        rows.push_back(pair_of(*nearest_from, *nearest_to));
    }
    const auto added = static_cast<double>(rows.size() - first);
    for (std::size_t i = first; i < rows.size(); ++i) {
        rows[i].family = number;
        rows[i].weight = 1 / added;
    }
}

}  // namespace

std::vector<PairRow> rows_of_others(const Query& query, std::uint32_t from, std::uint32_t to) {
    std::vector<PairRow> rows;
    for (const std::uint32_t number : query.evidence.families_at(to)) {
        if (query.family != nullptr && number == query.family_number) continue;
        append_rows(query.evidence.families()[number], number, from, to, rows);
    }
    return rows;
}

std::vector<PairRow> own_rows(const Query& query, std::uint32_t from, std::uint32_t to) {
    std::vector<PairRow> rows;
    if (query.family != nullptr) append_rows(*query.family, query.family_number, from, to, rows);
    return rows;
}

}  // namespace epochcast

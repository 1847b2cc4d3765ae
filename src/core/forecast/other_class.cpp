// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rule 3: scaled from another class, by the ratio that this model showed between the two classes at
// another count, else by the ratio that other models showed, those with a like profile first, else
// by FLOP rate.

#include <algorithm>
#include <cmath>
#include <string>

#include "core/forecast/class_ratio.hpp"
#include "core/forecast/expected_error.hpp"
#include "core/forecast/pair_rows.hpp"
#include "core/forecast/rules.hpp"
#include "core/forecast/statistics.hpp"

namespace epochcast {

namespace {

// Models whose times on the query's other classes relate as this model's do count more: weight
// 1 / (likeness_width^2 + squared difference of those ln ratios). 0.1 and 1 do as well on
// Gavel's table.
constexpr double likeness_width = 0.3;
constexpr double unknown_difference = 1;

// Expected errors: of FLOP rates (89 % mean error on Gavel's table, so a factor of 2 is one
// standard deviation), of a single other task, of this model's own ratio at another count.
constexpr double flop_rate_error = 0.7;
constexpr double task_ratio_floor = 0.2;
constexpr double lone_task_error = 0.4;
constexpr double own_ratio_error = 0.2;

// ln time of a family at this batch and placement; NaN where it has none.
double log_time_of(const Query& query, const Family& family, std::uint32_t at, double batch) {
    const auto curve = family.curves.find(at);
    if (curve == family.curves.end()) return absent;
    for (const CurvePoint& point : curve->second) {
        if (point.batch == batch) return query.log_time(point);
    }
    return absent;
}

// Squared difference between a row's family and the own one in how other placements relate to
// `from`.
double difference(const Query& query, const PairRow& row, std::uint32_t from) {
    const double own_from = log_time_of(query, *query.family, from, query.batch);
    const Family& family = query.evidence.families()[row.family];
    const double other_from = log_time_of(query, family, from, row.batch);
    double squares = 0;
    double count = 0;
    for (const auto& [number, curve] : query.family->curves) {
        const double own = log_time_of(query, *query.family, number, query.batch) - own_from;
        const double other = log_time_of(query, family, number, row.batch) - other_from;
        if (number == from || !std::isfinite(own) || !std::isfinite(other)) continue;
        squares += (own - other) * (own - other);
        ++count;
    }
    return count == 0 ? unknown_difference : squares / count;
}

std::string tasks_text(const std::vector<PairRow>& rows) {
    std::uint32_t tasks = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].family != rows[i - 1].family) ++tasks;
    }
    return std::to_string(tasks) + " other task" + (tasks == 1 ? "" : "s");
}

// How the rows relate the two placements, with their weights by likeness.
std::vector<Weighed> ratios_of(const Query& query,
                               std::uint32_t from,
                               const std::vector<PairRow>& rows) {
    std::vector<Weighed> ratios;
    ratios.reserve(rows.size());
    for (const PairRow& row : rows) {
        const double unlike = difference(query, row, from);
        const double weight = row.weight / (likeness_width * likeness_width + unlike);
        ratios.push_back({row.log_to - row.log_from, weight});
    }
    return ratios;
}

std::optional<ClassRatio> ratio_of_tasks(const Query& query,
                                         std::uint32_t from,
                                         const std::vector<PairRow>& rows) {
    if (rows.empty()) return std::nullopt;
    const std::vector<Weighed> ratios = ratios_of(query, from, rows);
    ClassRatio ratio;
    ratio.log_ratio = least_relative_error(ratios);
    const auto count = static_cast<double>(ratios.size());
    // As if two more tasks had missed by lone_task_error.
    const double seen = spread_around(ratio.log_ratio, ratios);
    ratio.spread =
        std::sqrt((seen * seen * count + 2 * lone_task_error * lone_task_error) / (count + 2)) +
        task_ratio_floor;
    ratio.words = "by the ratio of " + tasks_text(rows);
    return ratio;
}

// By the pair of placements of the two classes, with any count in common, that tells it best.
std::optional<ClassRatio> ratio_at_any_count(const Query& query,
                                             const std::string& from_class,
                                             const std::string& to_class) {
    std::optional<ClassRatio> best;
    for (const auto& [placement, from] : query.evidence.numbers()) {
        if (placement.node_class != from_class) continue;
        Placement same_count = placement;
        same_count.node_class = to_class;
        const auto to = query.evidence.number_of(same_count);
        if (!to) continue;
        const auto own = own_rows(query, from, *to);
        std::optional<ClassRatio> ratio;
        if (!own.empty()) {
            std::vector<Weighed> ratios;
            ratios.reserve(own.size());
            for (const PairRow& row : own) ratios.push_back({row.log_to - row.log_from, 1});
            ratio = ClassRatio{
                least_relative_error(ratios), own_ratio_error, "by this model's own ratio"};
        } else {
            ratio = ratio_of_tasks(query, from, rows_of_others(query, from, *to));
            if (ratio) ratio->spread += task_ratio_floor;
        }
        if (ratio && (!best || ratio->spread < best->spread)) best = ratio;
    }
    return best;
}

}  // namespace

std::vector<Weighed> ratios_of_others(const Query& query, std::uint32_t from, std::uint32_t to) {
    return ratios_of(query, from, rows_of_others(query, from, to));
}

std::optional<ClassRatio> class_ratio(const Query& query,
                                      std::uint32_t from,
                                      const std::string& to_class) {
    const Placement& source = query.evidence.placements()[from];
    Placement same_count = source;
    same_count.node_class = to_class;
    if (const auto to = query.evidence.number_of(same_count)) {
        const auto rows = rows_of_others(query, from, *to);
        if (auto ratio = ratio_of_tasks(query, from, rows)) return ratio;
    }
    if (auto ratio = ratio_at_any_count(query, source.node_class, to_class)) return ratio;
    const double log_ratio =
        std::log(query.evidence.flop_rate(source.node_class) / query.evidence.flop_rate(to_class));
    if (!std::isfinite(log_ratio)) return std::nullopt;
    return ClassRatio{log_ratio, flop_rate_error, "by FLOP rate (rough)"};
}

std::optional<Estimate> estimate_other_class(const Query& query) {
    std::optional<Estimate> best;
    for (const std::uint32_t number : own_placements(query)) {
        const Placement& source = query.evidence.placements()[number];
        const bool is_source =
            source.node_class != query.target.node_class && is_same_count(source, query.target);
        if (!is_source) continue;
        const auto ratio = class_ratio(query, number, query.target.node_class);
        if (!ratio) continue;
        Estimate estimate = estimate_on_curve(query, number);
        estimate.log_time += ratio->log_ratio;
        estimate.spread = combined_error(estimate.spread, ratio->spread);
        estimate.rule = Rule::other_class;
        estimate.cpu_factor = std::exp(ratio->log_ratio);
        estimate.basis = "scaled from " + source.node_class + " " + ratio->words;
        if (!best || estimate.spread < best->spread) best = std::move(estimate);
    }
    return best;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rule 4: from another number of nodes or devices. A step of all devices costs compute, which does
// not depend on their number at the same batch per device, and synchronisation, which grows with
// the logarithm of the number, twice as fast between nodes as within one. The part that grows comes
// from this model's own counts, else from what other models showed between the two counts, both as
// seconds added and as a factor; where nothing tells it, it is taken as nothing (optimistic).

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

// Expected errors of ln time per doubling of the count (in units of sync_length).
constexpr double own_fit_error = 0.2;
constexpr double optimistic_error = 0.35;
// Of what others showed: as rule 3 does, two virtual rows that miss by this.
constexpr double others_error = 0.2;
constexpr double others_floor = 0.03;

// Synchronisation may shorten a step in the tables (larger counts were measured on other nodes),
// but not to less than this part of it.
constexpr double least_part = 0.3;

double sync_length(const Placement& placement) {
    const double devices = std::max<std::uint32_t>(placement.devices_per_node, 1);
    return std::log2(devices) + 2 * std::log2(std::max<std::uint32_t>(placement.nodes, 1));
}

struct Scaling {
    double log_factor = 0;
    double spread = 0;
    std::string words;
};

// From the own counts on this class: compute + sync x length through all of them, by least squares
// of the relative error. Absent where there are not two counts of unequal length.
std::optional<Scaling> own_scaling(const Query& query, const Placement& source, double log_from) {
    std::vector<std::pair<double, double>> seen;  // length, seconds
    for (const std::uint32_t number : own_placements(query)) {
        const Placement& placement = query.evidence.placements()[number];
        if (placement.node_class != source.node_class) continue;
        seen.emplace_back(sync_length(placement),
                          std::exp(estimate_on_curve(query, number).log_time - log_from));
    }
    double w = 0, x = 0, y = 0;
    for (const auto& [length, time] : seen) {
        w += 1 / (time * time);
        x += length / (time * time);
        y += 1 / time;
    }
    x /= w;
    y /= w;
    double xx = 0, xy = 0;
    for (const auto& [length, time] : seen) {
        xx += (length - x) * (length - x) / (time * time);
        xy += (length - x) * (time - y) / (time * time);
    }
    if (xx <= 0) return std::nullopt;
    const double slope = std::max(xy / xx, 0.0);
    const auto at = [&](double length) {
        return std::max(y + slope * (length - x), least_part * y);
    };
    const double to = sync_length(query.target);
    const double from = sync_length(source);
    Scaling scaling;
    scaling.log_factor = std::log(at(to) / at(from));
    scaling.spread = own_fit_error * std::max(std::abs(to - from), 0.5);
    scaling.words = "by this model's own scaling";
    return scaling;
}

// From what others showed between the two counts on this class.
std::optional<Scaling> scaling_of_others(const Query& query,
                                         const std::vector<PairRow>& rows,
                                         double log_from) {
    if (rows.empty()) return std::nullopt;
    std::vector<Weighed> factors;
    std::vector<Weighed> with_added;
    for (const PairRow& row : rows) {
        factors.push_back({row.log_to - row.log_from, row.weight});
        // The same seconds added to this model's step.
        const double added = std::exp(row.log_to - log_from) - std::exp(row.log_from - log_from);
        with_added.push_back({std::log(std::max(1 + added, least_part)), row.weight});
    }
    Scaling scaling;
    scaling.log_factor = least_relative_error(factors);
    // Rows per pass know no seconds of a step.
    if (query.by_step) {
        scaling.log_factor = (scaling.log_factor + least_relative_error(with_added)) / 2;
    }
    const auto count = static_cast<double>(factors.size());
    const double seen = spread_around(scaling.log_factor, factors);
    scaling.spread =
        std::sqrt((seen * seen * count + 2 * others_error * others_error) / (count + 2)) +
        others_floor;
    scaling.words = "by the scaling of other tasks";
    return scaling;
}

Scaling optimistic_scaling(const Placement& source, const Placement& target) {
    const double doublings = std::abs(sync_length(target) - sync_length(source));
    return {0, optimistic_error * std::max(doublings, 1.0), "as if it scaled perfectly"};
}

// What a step takes more at the target's count than at the source's.
Scaling scaling_between(const Query& query, std::uint32_t from, double log_from) {
    const Placement& source = query.evidence.placements()[from];
    if (auto scaling = own_scaling(query, source, log_from)) return *scaling;
    Placement same_class = query.target;
    same_class.node_class = source.node_class;
    const auto to = query.evidence.number_of(same_class);
    if (to) {
        const auto rows = rows_of_others(query, from, *to);
        if (auto scaling = scaling_of_others(query, rows, log_from)) return *scaling;
    }
    return optimistic_scaling(source, query.target);
}

std::string count_text(const Placement& placement) {
    const auto counted = [](std::uint32_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    std::string text = counted(placement.nodes, "node");
    if (placement.devices_per_node > 0)
        text += " x " + counted(placement.devices_per_node, "device");
    return text;
}

Estimate estimate_from(const Query& query, std::uint32_t number) {
    const Placement& source = query.evidence.placements()[number];
    Estimate estimate = estimate_on_curve(query, number);
    const Scaling scaling = scaling_between(query, number, estimate.log_time);
    estimate.log_time += scaling.log_factor;
    estimate.spread = combined_error(estimate.spread, scaling.spread);
    estimate.rule = Rule::other_count;
    estimate.basis =
        "scaled from " + count_text(source) + " of " + source.node_class + " " + scaling.words;
    return estimate;
}

bool ran_on_target_class(const Query& query) {
    return std::ranges::any_of(own_placements(query), [&](std::uint32_t number) {
        return query.evidence.placements()[number].node_class == query.target.node_class;
    });
}

}  // namespace

std::optional<Estimate> estimate_other_count(const Query& query) {
    const bool has_same_class = ran_on_target_class(query);
    std::optional<Estimate> best;
    for (const std::uint32_t number : own_placements(query)) {
        const Placement& source = query.evidence.placements()[number];
        if (is_same_count(source, query.target)) continue;
        const bool is_same_class = source.node_class == query.target.node_class;
        if (is_same_class < has_same_class) continue;
        Estimate estimate = estimate_from(query, number);
        if (!is_same_class) {
            const auto ratio = class_ratio(query, number, query.target.node_class);
            if (!ratio) continue;
            estimate.log_time += ratio->log_ratio;
            estimate.spread = combined_error(estimate.spread, ratio->spread);
            estimate.cpu_factor = std::exp(ratio->log_ratio);
            estimate.basis += " and " + ratio->words;
        }
        if (!best || estimate.spread < best->spread) best = std::move(estimate);
    }
    return best;
}

}  // namespace epochcast

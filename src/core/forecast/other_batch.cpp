// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rule 2: this model on this placement with other batch sizes. The curve of the placement itself,
// moved by the shape that this model showed on its other placements as far as that shape told the
// measured points.

#include <algorithm>
#include <cmath>
#include <string>

#include "core/forecast/borrowed_shape.hpp"
#include "core/forecast/expected_error.hpp"
#include "core/forecast/rules.hpp"
#include "core/forecast/statistics.hpp"

namespace epochcast {

namespace {

// How far a borrowed shape is believed before the curve itself confirms it, and how much evidence
// (sum of squared shapes) weighs as much as that. With one point nothing else tells the shape.
// Gavel's table wants 0 to 0.3 of it, the profiles with all placements known want more.
constexpr double shape_trust = 0.3;
constexpr double shape_trust_weight = 0.5;
constexpr double one_point_trust = 0.8;
constexpr std::size_t points_to_learn_trust = 4;

// The nearest other placements are enough.
constexpr std::size_t max_donors = 8;

struct Donors {
    std::vector<BatchPoints> curves;
    std::string name;  // class of the nearest one that has the batch
};

bool has_batch(const BatchPoints& points, double batch) {
    return std::ranges::any_of(points, [batch](const BatchPoint& p) { return p.batch == batch; });
}

Donors donors_of(const Query& query) {
    std::vector<std::uint32_t> numbers;
    for (const auto& [number, curve] : query.family->curves) {
        if (number != query.target_number) numbers.push_back(number);
    }
    const auto& placements = query.evidence.placements();
    std::ranges::sort(numbers, {}, [&](std::uint32_t number) {
        return std::pair(unlikeness(placements[number], query.target), placements[number]);
    });
    Donors donors;
    for (const std::uint32_t number : numbers) {
        BatchPoints points = usable(query, query.family->curves.at(number));
        if (!has_batch(points, query.batch)) continue;
        if (donors.curves.empty()) donors.name = placements[number].node_class;
        donors.curves.push_back(std::move(points));
        if (donors.curves.size() == max_donors) break;
    }
    return donors;
}

BatchPoints without(const BatchPoints& points, std::size_t index) {
    BatchPoints others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(index));
    return others;
}

// What hiding each point in turn shows: how far the curve misses it, and the borrowed shape there.
struct Trial {
    double miss = 0;
    std::optional<double> shape;
    bool is_end = false;
};

std::vector<Trial> trials_on(const BatchPoints& points, std::span<const BatchPoints> donors) {
    std::vector<Trial> trials;
    if (points.size() < 3) return trials;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const BatchPoints others = without(points, i);
        const double batch = points[i].batch;
        trials.push_back({points[i].log_time - log_time_between(others, batch),
                          shape_of(donors, others, batch),
                          i == 0 || i + 1 == points.size()});
    }
    return trials;
}

// The part of the borrowed shape to believe, 0 to 1: ridge regression of misses on shapes.
double trust_of(std::span<const Trial> trials, std::size_t points) {
    if (points == 1) return one_point_trust;
    double xx = shape_trust_weight;
    double xy = shape_trust_weight * shape_trust;
    if (points >= points_to_learn_trust) {
        for (const Trial& trial : trials) {
            if (!trial.shape) continue;
            xx += *trial.shape * *trial.shape;
            xy += *trial.shape * std::clamp(trial.miss, -0.5, 0.5);
        }
    }
    return std::clamp(xy / xx, 0.0, 1.0);
}

double spread_on_curve(const BatchPoints& points,
                       double batch,
                       std::span<const Trial> trials,
                       double trust) {
    const bool is_inside = points.front().batch < batch && batch < points.back().batch;
    std::vector<double> misses;
    for (const Trial& trial : trials) {
        if (trial.is_end == is_inside) continue;
        misses.push_back(trial.miss - trust * trial.shape.value_or(0));
    }
    return expected_curve_error(points, batch, misses);
}

std::string on_class(const Query& query, std::uint32_t placement) {
    const Placement& there = query.evidence.placements()[placement];
    return there == query.target ? "this class" : there.node_class;
}

// "interpolated between batch 32 and 128", "extrapolated from batch 64", "scaled from batch 64".
std::string curve_basis(const BatchPoints& points, double batch) {
    if (has_batch(points, batch)) return "from this model at the same batch";
    if (batch < points.front().batch || points.back().batch < batch) {
        const BatchPoint& end = batch < points.front().batch ? points.front() : points.back();
        return (points.size() == 1 ? "scaled from batch " : "extrapolated from batch ") +
               batch_text(end.batch);
    }
    const auto high = std::ranges::lower_bound(points, batch, {}, &BatchPoint::batch);
    return "interpolated between batch " + batch_text((high - 1)->batch) + " and " +
           batch_text(high->batch);
}

Estimate estimate_with(const Query& query,
                       std::uint32_t placement,
                       std::span<const BatchPoints> donors) {
    const Curve& curve = query.family->curves.at(placement);
    const BatchPoints points = usable(query, curve);
    const auto trials = trials_on(points, donors);
    const auto shape = shape_of(donors, points, query.batch);
    const double trust = shape ? trust_of(trials, points.size()) : 0;
    Estimate estimate;
    estimate.log_time = log_time_at(points, query.batch) + trust * shape.value_or(0);
    estimate.spread = spread_on_curve(points, query.batch, trials, trust);
    if (points.size() == 1 && shape) estimate.spread *= one_point_shape_gain;
    estimate.donor = placement;
    estimate.records = epochs_of(query, curve);
    estimate.basis = curve_basis(points, query.batch) + " on " + on_class(query, placement);
    return estimate;
}

}  // namespace

std::uint32_t epochs_of(const Query& query, const Curve& curve) {
    std::uint32_t epochs = 0;
    for (const CurvePoint& point : curve) {
        epochs += query.evidence.points()[point.point].own.records;
    }
    return epochs;
}

std::string batch_text(double batch) { return std::to_string(static_cast<std::uint64_t>(batch)); }

bool is_same_count(const Placement& a, const Placement& b) {
    return a.nodes == b.nodes && a.devices_per_node == b.devices_per_node;
}

double unlikeness(const Placement& a, const Placement& b) {
    return (a.node_class == b.node_class ? 0 : 1) + std::abs(std::log2(units_of(a) / units_of(b)));
}

std::vector<BatchPoint> usable(const Query& query, const Curve& curve) {
    std::vector<BatchPoint> points;
    for (const CurvePoint& point : curve) {
        const double log_time = query.log_time(point);
        if (std::isfinite(log_time)) points.push_back({point.batch, log_time});
    }
    return points;
}

const Curve* own_curve(const Query& query, std::uint32_t placement) {
    if (query.family == nullptr) return nullptr;
    const auto found = query.family->curves.find(placement);
    if (found == query.family->curves.end() || usable(query, found->second).empty()) return nullptr;
    return &found->second;
}

std::vector<std::uint32_t> own_placements(const Query& query) {
    std::vector<std::uint32_t> numbers;
    if (query.family == nullptr) return numbers;
    for (const auto& [number, curve] : query.family->curves) {
        if (own_curve(query, number) != nullptr) numbers.push_back(number);
    }
    std::ranges::sort(
        numbers, {}, [&](std::uint32_t number) { return query.evidence.placements()[number]; });
    return numbers;
}

Estimate estimate_on_curve(const Query& query, std::uint32_t placement) {
    return estimate_with(query, placement, {});
}

std::optional<Estimate> estimate_other_batch(const Query& query) {
    if (!query.target_number || own_curve(query, *query.target_number) == nullptr) {
        return std::nullopt;
    }
    const Donors donors = donors_of(query);
    Estimate estimate = estimate_with(query, *query.target_number, donors.curves);
    const BatchPoints points = usable(query, *own_curve(query, *query.target_number));
    if (points.size() == 1 && !has_batch(points, query.batch) && !donors.curves.empty()) {
        if (donors.name != query.target.node_class) estimate.rule = Rule::other_class;
        estimate.basis += " by this model's own ratio on " + donors.name;
    }
    return estimate;
}

}  // namespace epochcast

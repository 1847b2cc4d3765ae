// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rules 2 and 3 together: all that this model showed on this placement and on those most like it,
// as one surface (model_surface.hpp). It says nothing where that is too little to be one: three
// batches here, or one here and one elsewhere, or two other classes are the least.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/forecast/class_ratio.hpp"
#include "core/forecast/model_surface.hpp"
#include "core/forecast/pair_rows.hpp"
#include "core/forecast/rules.hpp"
#include "core/forecast/statistics.hpp"

namespace epochcast {

namespace {

// More adds time, not knowledge: the placements and then the points most like the one asked for.
constexpr std::size_t max_sources = 6;
constexpr std::size_t max_points = 24;
constexpr std::size_t least_points_alone = 3;

// How much this model's own ratio between two placements counts beside that of one other model: at
// other batches it is partly what the surface is to tell.
constexpr double own_weight = 0.2;

// One standard deviation of the slowness that a single model shows (ln).
constexpr double one_model_error = 0.3;

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

struct Slowness {
    double log_ratio = 0;  // ln of time there over time on the target
    double variance = 0;
};

double mean_of(const std::vector<Weighed>& values) {
    double sum = 0;
    double weights = 0;
    for (const Weighed& value : values) {
        sum += value.weight * value.log_value;
        weights += value.weight;
    }
    return sum / weights;
}

std::optional<Slowness> slowness_of(const Query& query, std::uint32_t number, bool is_here) {
    if (number == query.target_number) return Slowness{};
    if (!query.target_number) return std::nullopt;
    double sum = 0;
    double models = 0;
    for (const PairRow& row : rows_of_others(query, number, *query.target_number)) {
        sum += row.weight * (row.log_from - row.log_to);
        models += row.weight;
    }
    // Where nothing of this model was measured here, it matters which models are like it.
    if (!is_here && models > 0) {
        sum = -models * mean_of(ratios_of_others(query, number, *query.target_number));
    }
    for (const PairRow& row : own_rows(query, *query.target_number, number)) {
        sum += own_weight * row.weight * (row.log_to - row.log_from);
        models += own_weight * row.weight;
    }
    if (models == 0) return std::nullopt;
    return Slowness{sum / models, one_model_error * one_model_error / std::max(models, 1.0)};
}

// The own placements that tell of the target, most alike first: those of the same count, and where
// the model ran here, which ties them to it, those of other counts.
std::vector<std::uint32_t> sources_of(const Query& query, bool is_here) {
    const auto& placements = query.evidence.placements();
    std::vector<std::uint32_t> numbers = own_placements(query);
    std::erase_if(numbers, [&](std::uint32_t number) {
        return !is_here && !is_same_count(placements[number], query.target);
    });
    std::ranges::stable_sort(numbers, {}, [&](std::uint32_t number) {
        return unlikeness(placements[number], query.target);
    });
    if (numbers.size() > max_sources) numbers.resize(max_sources);
    return numbers;
}

struct Sources {
    std::vector<SurfacePoint> points;
    std::vector<std::uint32_t> others;  // placements, most alike first
    std::uint32_t records = 0;
    double log_ratio = 0;  // of the first of others, to the target
};

Sources gather(const Query& query, bool is_here) {
    struct Ranked {
        double unlikeness = 0;
        SurfacePoint point;
    };
    std::vector<Ranked> ranked;
    Sources sources;
    for (const std::uint32_t number : sources_of(query, is_here)) {
        const auto slowness = slowness_of(query, number, is_here);
        if (!slowness) continue;
        if (number != query.target_number) {
            if (sources.others.empty()) sources.log_ratio = -slowness->log_ratio;
            sources.others.push_back(number);
        }
        const double unlike = unlikeness(query.evidence.placements()[number], query.target);
        const Curve& curve = query.family->curves.at(number);
        for (const BatchPoint& point : usable(query, curve)) {
            const double distance = std::abs(std::log(point.batch / query.batch));
            ranked.push_back(
                {unlike + distance,
                 {point.batch, slowness->log_ratio, slowness->variance, number, point.log_time}});
        }
        sources.records += epochs_of(query, curve);
    }
    std::ranges::stable_sort(ranked, {}, &Ranked::unlikeness);
    if (ranked.size() > max_points) ranked.resize(max_points);
    for (const Ranked& each : ranked) sources.points.push_back(each.point);
    return sources;
}

std::string classes_text(const Query& query, const std::vector<std::uint32_t>& numbers) {
    std::vector<std::string> names;
    for (const std::uint32_t number : numbers) {
        const std::string& name = query.evidence.placements()[number].node_class;
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) {
        text += (i + 1 == names.size() ? " and " : ", ") + names[i];
    }
    return text;
}

}  // namespace

std::optional<Estimate> estimate_on_surface(const Query& query) {
    const Curve* own = query.target_number ? own_curve(query, *query.target_number) : nullptr;
    const bool is_here = own != nullptr;
    const auto has_batch = [&](const CurvePoint& point) { return point.batch == query.batch; };
    if (is_here && std::ranges::any_of(*own, has_batch)) return std::nullopt;
    const Sources sources = gather(query, is_here);
    const bool is_enough =
        is_here ? !sources.others.empty() || sources.points.size() >= least_points_alone
                : sources.others.size() >= 2;
    if (!is_enough) return std::nullopt;
    const SurfaceValue value =
        surface_value(sources.points, query.batch, query.target_number.value_or(nowhere));
    Estimate estimate;
    estimate.log_time = value.log_time;
    estimate.spread = value.spread;
    estimate.records = sources.records;
    if (is_here) {
        estimate.rule = Rule::other_batch;
        estimate.donor = *query.target_number;
        estimate.basis = "from this model's other batches on this class";
        if (own->size() == 1) {
            // One batch here tells the level alone: how time goes with the batch is from elsewhere.
            estimate.rule = Rule::other_class;
            estimate.basis = "scaled from batch " + batch_text(own->front().batch) +
                             " on this class by this model's own ratio on " +
                             classes_text(query, sources.others);
        } else if (!sources.others.empty()) {
            estimate.basis += " and its times on " + classes_text(query, sources.others);
        }
        return estimate;
    }
    estimate.rule = Rule::other_class;
    estimate.donor = sources.others.front();
    estimate.cpu_factor = std::exp(sources.log_ratio);
    estimate.basis =
        "scaled from " + classes_text(query, sources.others) + " as other tasks relate them";
    return estimate;
}

}  // namespace epochcast

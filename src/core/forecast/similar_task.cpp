// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rule 5: a task that was never seen, from the tasks of about its declared size that ran on the
// very placement. A guess, and it says so; without a declared size there is none.

#include <algorithm>
#include <cmath>
#include <string>

#include "core/forecast/expected_error.hpp"
#include "core/forecast/rules.hpp"
#include "core/forecast/statistics.hpp"

namespace epochcast {

namespace {

constexpr std::size_t max_tasks = 8;

// Unlikeness: ln of the ratio of samples and of batches, and this much for each attribute that
// differs. Not measured: no public table declares sizes of unlike tasks.
constexpr double other_model = 1;
constexpr double other_dataset = 0.5;
constexpr double distance_floor = 0.5;

// One standard deviation is a factor of e: models differ by that at equal samples.
constexpr double guess_error = 1;

struct Likely {
    double distance = 0;
    const Point* point = nullptr;
};

double distance_to(const TaskAttributes& a, const TaskAttributes& b, const Placement& placement) {
    double distance = std::abs(std::log(static_cast<double>(*a.samples_per_epoch) /
                                        static_cast<double>(*b.samples_per_epoch)));
    if (states_batch(a) && states_batch(b)) {
        distance += std::abs(std::log(batch_of(a, placement) / batch_of(b, placement)));
    }
    if (a.model.empty() || a.model != b.model) distance += other_model;
    if (a.dataset.empty() || a.dataset != b.dataset) distance += other_dataset;
    return distance;
}

bool is_sized(const TaskAttributes& attributes) {
    return attributes.samples_per_epoch.value_or(0) > 0;
}

std::vector<Likely> likely_points(const Query& query) {
    std::vector<Likely> likely;
    if (!query.target_number) return likely;
    for (const std::uint32_t family : query.evidence.families_at(*query.target_number)) {
        for (const CurvePoint& at :
             query.evidence.families()[family].curves.at(*query.target_number)) {
            const Point& point = query.evidence.points()[at.point];
            if (!is_sized(point.attributes)) continue;
            likely.push_back(
                {distance_to(query.attributes, point.attributes, query.target), &point});
        }
    }
    std::ranges::stable_sort(likely, {}, &Likely::distance);
    if (likely.size() > max_tasks) likely.resize(max_tasks);
    return likely;
}

}  // namespace

std::optional<Forecast> forecast_similar_task(const Query& query) {
    if (!is_sized(query.attributes)) return std::nullopt;
    const auto likely = likely_points(query);
    if (likely.empty()) return std::nullopt;
    const auto samples = static_cast<double>(*query.attributes.samples_per_epoch);
    std::vector<Weighed> times;
    for (const Likely& like : likely) {
        const auto theirs = static_cast<double>(*like.point->attributes.samples_per_epoch);
        times.push_back({std::log(like.point->own.epoch.time_s / theirs * samples),
                         1 / std::pow(distance_floor + like.distance, 2)});
    }
    Forecast forecast;
    const double log_time = least_relative_error(times);
    forecast.epoch.time_s = std::exp(log_time);
    const IntervalFactors interval =
        interval_of(combined_error(guess_error, spread_around(log_time, times)));
    forecast.epoch_low_s = forecast.epoch.time_s * interval.low;
    forecast.epoch_high_s = forecast.epoch.time_s * interval.high;
    forecast.samples_per_epoch = *query.attributes.samples_per_epoch;
    forecast.rule = Rule::similar_task;
    for (const Likely& like : likely) forecast.records += like.point->own.records;
    forecast.basis = "never seen: a guess from " + std::to_string(likely.size()) +
                     (likely.size() == 1 ? " run" : " runs") + " of tasks of about this size";
    return forecast;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/forecast_index.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "core/forecast/evidence.hpp"
#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

// The attributes of the task's newest record; null if the task has no record.
const TaskAttributes* newest_attributes(const std::vector<const Point*>& points) {
    const Point* newest = nullptr;
    for (const Point* point : points) {
        if (newest == nullptr || point->newest_ns > newest->newest_ns) newest = point;
    }
    return newest == nullptr ? nullptr : &newest->attributes;
}

bool differs_in_size_only(TaskAttributes a, const TaskAttributes& b) {
    a.batch_per_device = b.batch_per_device;
    a.total_batch = b.total_batch;
    a.samples_per_epoch = b.samples_per_epoch;
    return a == b;
}

// Samples of an epoch (steps x devices where no batch is stated): as declared, else as the task's
// own series with the same batch had, else as any of its series of this model had. NaN if unknown.
double samples_of(const TaskAttributes& attributes, const std::vector<const Point*>& points) {
    const bool has_batch = states_batch(attributes);
    if (has_batch && attributes.samples_per_epoch.value_or(0) > 0) {
        return static_cast<double>(*attributes.samples_per_epoch);
    }
    double samples = absent;
    for (const Point* point : points) {
        if (!std::isfinite(point->samples)) continue;
        if (point->attributes == attributes) return point->samples;
        const bool is_comparable = states_batch(point->attributes) == has_batch;
        if (is_comparable && differs_in_size_only(point->attributes, attributes)) {
            samples = point->samples;
        }
    }
    return samples;
}

bool has_steps(const Family& family) {
    for (const auto& [number, curve] : family.curves) {
        for (const CurvePoint& point : curve) {
            if (std::isfinite(point.log_step)) return true;
        }
    }
    return false;
}

}  // namespace

ForecastIndex::ForecastIndex() : ForecastIndex({}, {}) {}

ForecastIndex::ForecastIndex(std::span<const Series> history, std::span<const NodeClass> classes)
    : evidence_(std::make_unique<Evidence>(history, classes)) {}

ForecastIndex::ForecastIndex(ForecastIndex&&) noexcept = default;
ForecastIndex& ForecastIndex::operator=(ForecastIndex&&) noexcept = default;
ForecastIndex::~ForecastIndex() = default;

void ForecastIndex::update(const Series& series) { evidence_->update(series); }

void ForecastIndex::remove(const TaskKey& task,
                           const TaskAttributes& attributes,
                           const Placement& placement) {
    evidence_->remove(task, attributes, placement);
}

std::optional<Forecast> ForecastIndex::forecast(const TaskKey& task,
                                                const std::optional<TaskAttributes>& attributes,
                                                const Placement& placement) const {
    if (attributes) return forecast(task, *attributes, placement);
    const TaskAttributes* newest = newest_attributes(evidence_->points_of(task));
    return newest == nullptr ? std::nullopt : forecast(task, *newest, placement);
}

std::optional<Forecast> ForecastIndex::forecast(const TaskKey& task,
                                                const TaskAttributes& attributes,
                                                const Placement& placement) const {
    const Point* own = evidence_->find(task, attributes, placement);
    if (own != nullptr && own->is_measured) return own->own;

    Query query{*evidence_, attributes, placement};
    query.target_number = evidence_->number_of(placement);
    query.batch = batch_of(attributes, placement);
    if (const auto family = evidence_->family_of(task, attributes)) {
        query.family = &evidence_->families()[*family];
        query.family_number = *family;
        const double samples = samples_of(attributes, evidence_->points_of(task));
        query.by_step = std::isfinite(samples) && has_steps(*query.family);
        std::vector<Estimate> estimates;
        // Where there is a surface, it holds all that rule 3 could scale from.
        auto surface = estimate_on_surface(query);
        for (const auto rule : {estimate_other_batch, estimate_other_class, estimate_other_count}) {
            if (surface && rule == estimate_other_class) continue;
            if (auto estimate = rule(query)) estimates.push_back(std::move(*estimate));
        }
        if (surface) estimates.push_back(std::move(*surface));
        if (!estimates.empty()) return forecast_from(query, blended(estimates), samples);
    }
    if (own != nullptr) return own->own;
    return forecast_similar_task(query);
}

}  // namespace epochcast

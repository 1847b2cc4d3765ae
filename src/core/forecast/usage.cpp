// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// The whole forecast for an estimate of a step's time: CPU time, memory, disk and FLOP come from
// the own curve that the estimate rests on, by a plain line over the batch (A10).

#include <algorithm>
#include <cmath>

#include "core/forecast/expected_error.hpp"
#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

// Samples of a point's epoch, in the unit that the query compares by: a pass counts as 1.
double samples_of(const Query& query, const Point& point) {
    return query.by_step ? point.samples : 1;
}

// A sum over an epoch (CPU time, disk, FLOP), per sample at the query's batch; NaN if absent.
double amount_per_sample(const Query& query, const Curve& curve, double EpochMeans::*field) {
    std::vector<BatchValue> points;
    for (const CurvePoint& at : curve) {
        const Point& point = query.evidence.points()[at.point];
        const double per_sample = point.own.epoch.*field / samples_of(query, point);
        if (std::isfinite(per_sample)) points.push_back({at.batch, per_sample * at.batch});
    }
    if (points.empty()) return absent;
    if (points.size() == 1) return points[0].value / points[0].batch;
    return value_at(points, query.batch) / query.batch;
}

double peak_memory(const Query& query, const Curve& curve) {
    std::vector<BatchValue> points;
    for (const CurvePoint& at : curve) {
        const double bytes = query.evidence.points()[at.point].own.epoch.peak_memory_bytes;
        if (std::isfinite(bytes)) points.push_back({at.batch, bytes});
    }
    return points.empty() ? absent : value_at(points, query.batch);
}

}  // namespace

Forecast forecast_from(const Query& query, const Estimate& estimate, double samples) {
    const Curve& curve = query.family->curves.at(estimate.donor);
    const double share = units_of(query.target) * query.batch;
    Forecast forecast;
    forecast.epoch.time_s = std::exp(estimate.log_time) * (query.by_step ? samples : 1) / share;
    if (query.by_step) forecast.step_s = std::exp(estimate.log_time);
    const auto amount = [&](double EpochMeans::*field) {
        return amount_per_sample(query, curve, field) * (query.by_step ? samples : 1);
    };
    forecast.epoch.cpu_s = amount(&EpochMeans::cpu_s) * estimate.cpu_factor;
    forecast.epoch.disk_read_bytes = amount(&EpochMeans::disk_read_bytes);
    forecast.epoch.disk_written_bytes = amount(&EpochMeans::disk_written_bytes);
    forecast.epoch.flop = amount(&EpochMeans::flop);
    forecast.epoch.flop_rate = forecast.epoch.flop / forecast.epoch.time_s;
    forecast.epoch.peak_memory_bytes = peak_memory(query, curve);
    const IntervalFactors interval = interval_of(estimate.spread);
    forecast.epoch_low_s = forecast.epoch.time_s * interval.low;
    forecast.epoch_high_s = forecast.epoch.time_s * interval.high;
    forecast.startup_s = query.evidence.points()[curve.front().point].own.startup_s;
    forecast.samples_per_epoch = query.attributes.samples_per_epoch.value_or(absent_count);
    forecast.rule = estimate.rule;
    forecast.records = estimate.records;
    forecast.basis = estimate.basis;
    return forecast;
}

}  // namespace epochcast

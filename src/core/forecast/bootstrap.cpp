// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/forecast/batch_curve.hpp"
#include "core/forecast/evidence.hpp"
#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

bool is_same_model(TaskAttributes a, const TaskAttributes& b) {
    a.batch_per_device = b.batch_per_device;
    a.total_batch = b.total_batch;
    a.samples_per_epoch = b.samples_per_epoch;
    return a == b;
}

// A quantity of one sample at `batch`, by a line over (batch, quantity per step of that batch).
double per_sample(const std::map<double, EpochMeans>& seen,
                  double batch,
                  double EpochMeans::*field) {
    std::vector<BatchValue> points;
    for (const auto& [at, means] : seen) {
        if (std::isfinite(means.*field)) points.push_back({at, means.*field * at});
    }
    if (points.empty()) return absent;
    if (points.size() == 1) return points[0].value / points[0].batch;
    return value_at(points, batch) / batch;
}

double memory_at(const std::map<double, EpochMeans>& seen, double batch) {
    std::vector<BatchValue> points;
    for (const auto& [at, means] : seen) {
        if (std::isfinite(means.peak_memory_bytes)) points.push_back({at, means.peak_memory_bytes});
    }
    return points.empty() ? absent : value_at(points, batch);
}

std::uint64_t counted(double value) {
    const bool is_count = std::isfinite(value) && value >= 0 && value < 0x1p63;
    return is_count ? static_cast<std::uint64_t>(std::llround(value)) : absent_count;
}

// Means of one sample; memory as it is.
EpochMeans of_one_sample(EpochMeans means, double samples) {
    means.time_s /= samples;
    means.cpu_s /= samples;
    means.disk_read_bytes /= samples;
    means.disk_written_bytes /= samples;
    means.flop /= samples;
    return means;
}

// What there is to interpolate between: per batch, means of one sample (of one pass over the data
// where a series does not know its samples).
struct Seen {
    std::map<double, EpochMeans> by_batch;
    double samples = 1;  // of an epoch
    bool knows_samples = false;
};

Seen seen_in(const std::vector<SeriesForecast>& forecasts,
             const std::vector<const Series*>& series,
             const TaskAttributes& attributes,
             double units) {
    Seen seen;
    std::vector<double> samples;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Forecast& own = forecasts[i].forecast;
        const double batch = batch_of(series[i]->attributes, series[i]->placement);
        samples.push_back(own.epoch.time_s / own.step_s * batch * units);
    }
    seen.knows_samples =
        std::ranges::all_of(samples, [](double count) { return std::isfinite(count); });
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (seen.knows_samples) seen.samples = samples[i];
        seen.by_batch[batch_of(series[i]->attributes, series[i]->placement)] =
            of_one_sample(forecasts[i].forecast.epoch, seen.knows_samples ? samples[i] : 1);
    }
    const std::uint64_t declared = attributes.samples_per_epoch.value_or(0);
    if (seen.knows_samples && declared > 0) seen.samples = static_cast<double>(declared);
    return seen;
}

EpochRecord record_of(const Seen& seen, double batch, double units) {
    const auto amount = [&](double EpochMeans::*field) {
        return per_sample(seen.by_batch, batch, field) * seen.samples;
    };
    EpochRecord record;
    record.flags = epoch_generated;
    record.wall_s = amount(&EpochMeans::time_s);
    record.cpu_s = amount(&EpochMeans::cpu_s);
    record.flop = amount(&EpochMeans::flop);
    record.flop_rate = record.flop / record.wall_s;
    record.disk_read_bytes = counted(amount(&EpochMeans::disk_read_bytes));
    record.disk_written_bytes = counted(amount(&EpochMeans::disk_written_bytes));
    record.peak_memory_bytes = counted(memory_at(seen.by_batch, batch));
    if (seen.knows_samples) {
        record.samples = counted(seen.samples);
        record.steps = counted(std::ceil(seen.samples / (batch * units)));
    }
    return record;
}

}  // namespace

std::optional<Series> generate_records(std::span<const Series> history,
                                       const TaskKey& task,
                                       const TaskAttributes& attributes,
                                       const Placement& placement,
                                       std::uint32_t epochs) {
    if (!states_batch(attributes)) return std::nullopt;
    std::vector<SeriesForecast> forecasts;
    std::vector<const Series*> measured;
    for (const Series& series : history) {
        const bool is_kin = series.task == task && series.placement == placement &&
                            is_same_model(series.attributes, attributes) &&
                            states_batch(series.attributes);
        if (!is_kin) continue;
        auto own = forecast_of_series(series);
        if (!own || own->is_generated) continue;
        if (series.attributes == attributes && own->is_steady) return std::nullopt;
        if (series.attributes == attributes) continue;
        forecasts.push_back(std::move(*own));
        measured.push_back(&series);
    }
    if (measured.empty()) return std::nullopt;
    const double units = units_of(placement);
    EpochRecord record = record_of(
        seen_in(forecasts, measured, attributes, units), batch_of(attributes, placement), units);
    Series series{task, attributes, placement, {}, {}};
    for (record.epoch = 0; record.epoch < epochs; ++record.epoch) series.records.push_back(record);
    return series;
}

}  // namespace epochcast

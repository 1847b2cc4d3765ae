// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rule 1: epochs of this very series on this placement.

#include <cmath>
#include <string>

#include "core/forecast/epoch_statistics.hpp"
#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

double mean_startup_s(const Series& series) {
    double sum = 0;
    std::size_t count = 0;
    for (const double startup_s : series.startups_s) {
        if (!std::isfinite(startup_s) || startup_s < 0) continue;
        sum += startup_s;
        ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

// Samples that one step of all devices takes; NaN where no batch is declared.
double samples_per_step(const Series& series) {
    if (!states_batch(series.attributes)) return absent;
    return batch_of(series.attributes, series.placement) * units_of(series.placement);
}

double step_s(const Series& series, const RobustMeans& robust) {
    if (std::isfinite(robust.steps)) return robust.means.time_s / robust.steps;
    const std::uint64_t samples = series.attributes.samples_per_epoch.value_or(0);
    if (samples == 0) return absent;
    return robust.means.time_s * samples_per_step(series) / static_cast<double>(samples);
}

std::string basis_of(const RobustMeans& robust) {
    std::string text = robust.drift_s == 0 ? "from " : "from the last ";
    text += std::to_string(robust.used);
    if (robust.only_generated) text += " generated";
    text += robust.used == 1 ? " epoch" : " epochs";
    text += " on this class";
    if (robust.only_doubtful) text += " (only first or resumed ones)";
    if (robust.drift_s > 0) text += " (epochs take longer and longer)";
    if (robust.drift_s < 0) text += " (epochs take less and less)";
    return text;
}

}  // namespace

std::optional<SeriesForecast> forecast_of_series(const Series& series) {
    const RobustMeans robust = robust_means(series.records, samples_per_step(series));
    if (robust.used == 0) return std::nullopt;
    SeriesForecast result;
    result.is_generated = robust.only_generated;
    result.is_steady = !robust.only_generated && !robust.only_doubtful;
    Forecast& forecast = result.forecast;
    forecast.rule = robust.only_generated ? Rule::other_batch : Rule::same_placement;
    forecast.epoch = robust.means;
    forecast.epoch_low_s = robust.low_s;
    forecast.epoch_high_s = robust.high_s;
    forecast.startup_s = mean_startup_s(series);
    forecast.mean_all = plain_means(series.records);
    forecast.samples_per_epoch = series.attributes.samples_per_epoch.value_or(absent_count);
    forecast.records = robust.used;
    forecast.basis = basis_of(robust);
    forecast.step_s = step_s(series, robust);
    return result;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

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

}  // namespace

std::optional<Forecast> forecast_of_series(const Series& series) {
    const RobustMeans robust = robust_means(series.records);
    if (robust.used == 0) return std::nullopt;
    Forecast forecast;
    forecast.rule = Rule::same_placement;
    forecast.epoch = robust.means;
    forecast.epoch_low_s = robust.low_s;
    forecast.epoch_high_s = robust.high_s;
    forecast.startup_s = mean_startup_s(series);
    forecast.mean_all = plain_means(series.records);
    forecast.samples_per_epoch = series.attributes.samples_per_epoch.value_or(absent_count);
    forecast.records = robust.used;
    forecast.basis = "from " + std::to_string(robust.used) +
                     (robust.used == 1 ? " epoch" : " epochs") + " on this class";
    if (robust.only_doubtful) forecast.basis += " (only first or resumed ones)";
    return forecast;
}

std::optional<Forecast> forecast_same_placement(const Question& question) {
    for (const Series& series : question.history) {
        if (series.task == question.task && series.attributes == question.attributes &&
            series.placement == question.placement) {
            return forecast_of_series(series);
        }
    }
    return std::nullopt;
}

}  // namespace epochcast

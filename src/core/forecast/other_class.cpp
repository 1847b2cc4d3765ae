// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cmath>
#include <string>

#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

// Half-widths of the 90 % interval as a factor, from the mean errors seen on Gavel's throughput
// table: 22 % for a ratio shown by other tasks, 89 % for FLOP rates (design.md section 4).
constexpr double task_ratio_factor = 1.45;
constexpr double flop_rate_factor = 2.8;

// How much longer an epoch takes on the wanted class than on the source's class.
struct Scale {
    double ratio = 0;
    std::uint32_t tasks = 0;  // other tasks that showed it; 0: by FLOP rate
};

bool is_same_but_class(const Placement& a, const Placement& b) {
    return a.nodes == b.nodes && a.devices_per_node == b.devices_per_node &&
           a.node_class != b.node_class;
}

// Geometric mean of the ratios of epoch times between the two placements over the other series that
// ran on both; tasks is 0 if there is none.
Scale scale_by_tasks(const Question& question, const Placement& source) {
    double sum_of_logs = 0;
    Scale scale;
    for (const Series& from : question.history) {
        const bool is_own = from.task == question.task && from.attributes == question.attributes;
        if (is_own || from.placement != source) continue;
        const auto to = std::ranges::find_if(question.history, [&](const Series& series) {
            return series.task == from.task && series.attributes == from.attributes &&
                   series.placement == question.placement;
        });
        if (to == question.history.end()) continue;
        const auto from_forecast = forecast_of_series(from);
        const auto to_forecast = forecast_of_series(*to);
        if (!from_forecast || !to_forecast) continue;
        sum_of_logs += std::log(to_forecast->epoch.time_s / from_forecast->epoch.time_s);
        ++scale.tasks;
    }
    if (scale.tasks > 0) scale.ratio = std::exp(sum_of_logs / scale.tasks);
    return scale;
}

double flop_rate_of(std::span<const NodeClass> classes, const std::string& name) {
    const auto found = std::ranges::find(classes, name, &NodeClass::name);
    return found == classes.end() ? absent : found->flop_rate;
}

std::optional<Scale> scale_between(const Question& question, const Placement& source) {
    if (const Scale scale = scale_by_tasks(question, source); scale.tasks > 0) return scale;
    const double ratio = flop_rate_of(question.classes, source.node_class) /
                         flop_rate_of(question.classes, question.placement.node_class);
    if (!std::isfinite(ratio) || ratio <= 0) return std::nullopt;
    return Scale{ratio, 0};
}

Forecast scaled(Forecast forecast, const Placement& source, const Scale& scale) {
    const double factor = scale.tasks > 0 ? task_ratio_factor : flop_rate_factor;
    forecast.rule = Rule::other_class;
    forecast.epoch.time_s *= scale.ratio;
    forecast.epoch.cpu_s *= scale.ratio;
    forecast.epoch.flop_rate /= scale.ratio;
    forecast.startup_s *= scale.ratio;
    forecast.epoch_low_s = forecast.epoch.time_s / factor;
    forecast.epoch_high_s = forecast.epoch.time_s * factor;
    forecast.mean_all = {};  // nothing ran there
    forecast.basis = "scaled from " + source.node_class;
    if (scale.tasks == 0) {
        forecast.basis += " by FLOP rate (rough)";
    } else {
        forecast.basis += " by the ratio of " + std::to_string(scale.tasks) + " other task" +
                          (scale.tasks == 1 ? "" : "s");
    }
    return forecast;
}

}  // namespace

std::optional<Forecast> forecast_other_class(const Question& question) {
    std::optional<Forecast> best;
    Scale best_scale;
    const Placement* best_source = nullptr;
    for (const Series& series : question.history) {
        const bool is_source = series.task == question.task &&
                               series.attributes == question.attributes &&
                               is_same_but_class(series.placement, question.placement);
        if (!is_source) continue;
        auto forecast = forecast_of_series(series);
        if (!forecast) continue;
        const auto scale = scale_between(question, series.placement);
        if (!scale) continue;
        const bool is_better =
            !best || scale->tasks > best_scale.tasks ||
            (scale->tasks == best_scale.tasks && forecast->records > best->records);
        if (!is_better) continue;
        best = std::move(forecast);
        best_scale = *scale;
        best_source = &series.placement;
    }
    if (!best) return std::nullopt;
    return scaled(std::move(*best), *best_source, best_scale);
}

}  // namespace epochcast

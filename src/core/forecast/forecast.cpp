// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/forecast.hpp"

#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

// The attributes of the task's newest record; null if the task has no record.
const TaskAttributes* newest_attributes(std::span<const Series> history, const TaskKey& task) {
    const TaskAttributes* newest = nullptr;
    std::uint64_t newest_ns = 0;
    for (const Series& series : history) {
        if (series.task != task || series.records.empty()) continue;
        const std::uint64_t start_ns = series.records.back().start_ns;
        if (newest == nullptr || start_ns > newest_ns) {
            newest = &series.attributes;
            newest_ns = start_ns;
        }
    }
    return newest;
}

}  // namespace

std::optional<Forecast> forecast_epoch(std::span<const Series> history,
                                       const TaskKey& task,
                                       const std::optional<TaskAttributes>& attributes,
                                       const Placement& placement,
                                       std::span<const NodeClass> classes) {
    const TaskAttributes* meant = attributes ? &*attributes : newest_attributes(history, task);
    if (meant == nullptr) return std::nullopt;
    const Question question{history, task, *meant, placement, classes};
    if (auto forecast = forecast_same_placement(question)) return forecast;
    return forecast_other_class(question);
}

double job_time_s(const Forecast& forecast, std::uint64_t epochs) {
    return forecast.startup_s + static_cast<double>(epochs) * forecast.epoch.time_s;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/forecast.hpp"

#include "core/forecast/forecast_index.hpp"

namespace epochcast {

std::optional<Forecast> forecast_epoch(std::span<const Series> history,
                                       const TaskKey& task,
                                       const std::optional<TaskAttributes>& attributes,
                                       const Placement& placement,
                                       std::span<const NodeClass> classes) {
    return ForecastIndex(history, classes).forecast(task, attributes, placement);
}

double job_time_s(const Forecast& forecast, std::uint64_t epochs) {
    return forecast.startup_s + static_cast<double>(epochs) * forecast.epoch.time_s;
}

}  // namespace epochcast

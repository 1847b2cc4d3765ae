// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/forecast_index.hpp"
#include "core/forecast/forecast_table.hpp"
#include "core/forecast/task_runs.hpp"

namespace epochcast {

std::vector<TaskForecasts> tabulate(std::span<const Series> history,
                                    std::span<const NodeClass> classes) {
    const ForecastIndex index(history, classes);
    std::vector<TaskForecasts> tasks;
    for (const auto& [task, runs] : task_runs(history)) {
        TaskForecasts forecasts{task, {}};
        for (std::uint32_t number = 0; number < classes.size(); ++number) {
            const std::string& name = classes[number].name;
            for (const std::uint32_t nodes : runs.nodes()) {
                if (nodes > classes[number].nodes.size()) break;  // ascending
                auto forecast =
                    index.forecast(task, std::nullopt, {name, nodes, runs.devices_on(name)});
                if (!forecast) continue;
                forecasts.placements.push_back({number, nodes, std::move(*forecast)});
            }
        }
        if (!forecasts.placements.empty()) tasks.push_back(std::move(forecasts));
    }
    return tasks;
}

}  // namespace epochcast

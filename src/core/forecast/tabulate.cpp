// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <set>

#include "core/forecast/forecast_index.hpp"
#include "core/forecast/forecast_table.hpp"
#include "core/forecast/task_runs.hpp"

namespace epochcast {

namespace {

// The numbers of devices per node to forecast for a task that used `recorded` of them.
std::set<std::uint32_t> device_counts(std::uint32_t recorded, const NodeClass& node_class) {
    std::set<std::uint32_t> counts{recorded};
    if (recorded == 0) return counts;
    const std::uint32_t all = node_class.devices_per_node;
    for (std::uint32_t count = 1; count < all; count *= 2) counts.insert(count);
    if (all != 0) counts.insert(all);
    return counts;
}

}  // namespace

std::vector<TaskForecasts> tabulate(std::span<const Series> history,
                                    std::span<const NodeClass> classes) {
    const ForecastIndex index(history, classes);
    std::vector<TaskForecasts> tasks;
    for (const auto& [task, runs] : task_runs(history)) {
        TaskForecasts forecasts{task, {}, runs.runs()};
        for (std::uint32_t number = 0; number < classes.size(); ++number) {
            const std::string& name = classes[number].name;
            for (const std::uint32_t nodes : runs.nodes()) {
                if (nodes > classes[number].nodes.size()) break;  // ascending
                for (const auto devices : device_counts(runs.devices_on(name), classes[number])) {
                    auto forecast = index.forecast(task, std::nullopt, {name, nodes, devices});
                    if (!forecast) continue;
                    forecasts.placements.push_back({number, nodes, std::move(*forecast), devices});
                }
            }
        }
        if (!forecasts.placements.empty()) tasks.push_back(std::move(forecasts));
    }
    return tasks;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <map>
#include <set>

#include "core/forecast/forecast_table.hpp"

namespace epochcast {

namespace {

// The node counts that each task was recorded on, and one node.
std::map<TaskKey, std::set<std::uint32_t>> node_counts(std::span<const Series> history) {
    std::map<TaskKey, std::set<std::uint32_t>> counts;
    for (const Series& series : history) {
        auto& of_task = counts[series.task];
        of_task.insert(1);
        of_task.insert(series.placement.nodes);
    }
    return counts;
}

}  // namespace

std::vector<TaskForecasts> tabulate(std::span<const Series> history,
                                    std::span<const NodeClass> classes) {
    std::vector<TaskForecasts> tasks;
    for (const auto& [task, counts] : node_counts(history)) {
        TaskForecasts forecasts{task, {}};
        for (std::uint32_t index = 0; index < classes.size(); ++index) {
            for (const std::uint32_t nodes : counts) {
                const Placement placement{classes[index].name, nodes, 0};
                auto forecast = forecast_epoch(history, task, std::nullopt, placement, classes);
                if (!forecast) continue;
                forecasts.placements.push_back({index, nodes, std::move(*forecast)});
            }
        }
        if (!forecasts.placements.empty()) tasks.push_back(std::move(forecasts));
    }
    return tasks;
}

}  // namespace epochcast

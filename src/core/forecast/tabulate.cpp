// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <map>
#include <set>

#include "core/forecast/forecast_index.hpp"
#include "core/forecast/forecast_table.hpp"

namespace epochcast {

namespace {

// Where a task ran, and with how many devices per node most recently: in all, and per class.
struct Runs {
    std::set<std::uint32_t> nodes{1};
    std::map<std::string, std::pair<std::uint64_t, std::uint32_t>> devices;  // newest_ns, count
};

void note_devices(Runs& runs, const std::string& node_class, const Series& series) {
    const std::uint64_t newest_ns = series.records.empty() ? 0 : series.records.back().start_ns;
    auto& [seen_ns, devices] = runs.devices[node_class];
    if (newest_ns < seen_ns) return;
    seen_ns = newest_ns;
    devices = series.placement.devices_per_node;
}

constexpr const char* any_class = "";

std::map<TaskKey, Runs> runs_of(std::span<const Series> history) {
    std::map<TaskKey, Runs> runs;
    for (const Series& series : history) {
        Runs& of_task = runs[series.task];
        of_task.nodes.insert(series.placement.nodes);
        note_devices(of_task, any_class, series);
        note_devices(of_task, series.placement.node_class, series);
    }
    return runs;
}

std::uint32_t devices_on(const Runs& runs, const std::string& node_class) {
    const auto found = runs.devices.find(node_class);
    return found != runs.devices.end() ? found->second.second : runs.devices.at(any_class).second;
}

}  // namespace

std::vector<TaskForecasts> tabulate(std::span<const Series> history,
                                    std::span<const NodeClass> classes) {
    const ForecastIndex index(history, classes);
    std::vector<TaskForecasts> tasks;
    for (const auto& [task, runs] : runs_of(history)) {
        TaskForecasts forecasts{task, {}};
        for (std::uint32_t number = 0; number < classes.size(); ++number) {
            const std::string& name = classes[number].name;
            for (const std::uint32_t nodes : runs.nodes) {
                if (nodes > classes[number].nodes.size()) break;  // ascending
                auto forecast =
                    index.forecast(task, std::nullopt, {name, nodes, devices_on(runs, name)});
                if (!forecast) continue;
                forecasts.placements.push_back({number, nodes, std::move(*forecast)});
            }
        }
        if (!forecasts.placements.empty()) tasks.push_back(std::move(forecasts));
    }
    return tasks;
}

}  // namespace epochcast

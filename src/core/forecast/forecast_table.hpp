// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The content of a forecast file: all that the Slurm plugins may know. Plain data;
// src/forecast_file stores it, src/decide answers from it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/forecast.hpp"

namespace epochcast {

// What the select shim does in a partition.
enum class Mode : std::uint8_t { off = 0, shadow = 1, on = 2 };

struct PartitionRule {
    std::string name;
    Mode mode = Mode::off;
    std::vector<std::string> allowed_policies;  // empty: all of them
};

struct PlacementForecast {
    std::uint32_t class_index = 0;  // into ForecastTable::classes
    std::uint32_t nodes = 1;
    Forecast forecast;
};

struct TaskForecasts {
    TaskKey task;
    std::vector<PlacementForecast> placements;  // sorted by (class_index, nodes)
};

struct ForecastTable {
    std::string service;              // who wrote it; also the file's base name
    std::int64_t written_unix_s = 0;  // UTC
    std::uint32_t max_age_s = 0;      // older than this: not used; 0: no limit
    std::string decision_dir;         // where the shim records decisions; empty: nowhere
    std::string default_policy;       // for jobs that name a task but no policy; empty: none
    std::vector<NodeClass> classes;
    std::vector<PartitionRule> partitions;
    std::vector<TaskForecasts> tasks;  // sorted by task key
};

// The forecasts of every task of the history on every class, for each node count that the task was
// ever recorded on and for one node, as far as the class has as many.
std::vector<TaskForecasts> tabulate(std::span<const Series> history,
                                    std::span<const NodeClass> classes);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The content of a forecast file: all that the Slurm plugins may know. Plain data;
// src/forecast_file stores it, src/decide answers from it.

#include <array>
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
    std::uint32_t devices_per_node = 0;  // 0: CPU only

    // What identifies it within a task.
    std::array<std::uint32_t, 3> key() const { return {class_index, nodes, devices_per_node}; }
};

struct TaskForecasts {
    TaskKey task;
    std::vector<PlacementForecast> placements;  // strictly sorted by key()
    std::uint32_t runs = 0;                     // jobs that were recorded
};

// What the plugins may do beyond choosing nodes. As shipped: nothing.
struct PluginSettings {
    bool set_limits = false;             // job_submit gives a time limit to jobs that have none
    std::uint32_t site_factor_most = 0;  // range of the site factor by the plan's order; 0: none
    std::uint32_t wait_most_s = 0;       // longest wait for a better class than one that is idle
};

// A node as the session service saw it.
struct NodeState {
    std::string node;
    std::int64_t pinged_unix_s = 0;  // when the newest ping ended; 0: it was not pinged
    bool answered = true;            // that ping
    std::int64_t free_unix_s = 0;    // when its jobs will have ended; 0: idle, or not known
    bool is_forecast = false;        // free_unix_s rests on forecasts; false: on time limits
};

// A pending job's place in the queue plan.
struct PlannedJob {
    std::uint32_t job_id = 0;
    std::uint32_t class_index = 0;        // into ForecastTable::classes
    std::uint32_t order = 0;              // 0: first
    std::int64_t start_unix_s = 0;        // expected
    std::int64_t planned_unix_s = 0;      // when the plan was made
    std::int64_t fresh_until_unix_s = 0;  // the plan's end of life
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
    PluginSettings settings;
    std::vector<NodeState> node_states;  // each node once
    std::vector<PlannedJob> plan;        // strictly sorted by job_id
};

// The forecasts of every task of the history on every class, for each node count that the task was
// ever recorded on and for one node, as far as the class has as many. Devices per node: as recorded
// there; where the class states how many it has, also the powers of two up to that.
std::vector<TaskForecasts> tabulate(std::span<const Series> history,
                                    std::span<const NodeClass> classes);

}  // namespace epochcast

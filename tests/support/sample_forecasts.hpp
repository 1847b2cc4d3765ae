// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Forecast tables to test with: a small one that can be checked by hand, and large ones.

#include <algorithm>
#include <string>

#include "core/forecast/forecast_table.hpp"

namespace epochcast {

inline constexpr std::int64_t sample_written_unix_s = 1'700'000'000;

// `epoch_s` per epoch with an interval of 10 % around it, 10 s of start-up, 60 000 samples.
inline PlacementForecast sample_placement(std::uint32_t class_index,
                                          std::uint32_t nodes,
                                          double epoch_s) {
    PlacementForecast placement{class_index, nodes, {}};
    Forecast& forecast = placement.forecast;
    forecast.epoch.time_s = epoch_s;
    forecast.epoch.cpu_s = 4 * epoch_s;
    forecast.epoch.peak_memory_bytes = 3e9;
    forecast.epoch_low_s = 0.9 * epoch_s;
    forecast.epoch_high_s = 1.1 * epoch_s;
    forecast.startup_s = 10;
    forecast.mean_all = forecast.epoch;
    forecast.samples_per_epoch = 60'000;
    forecast.records = 12;
    forecast.basis = "from 12 epochs on this class";
    return placement;
}

// fast: 2 nodes at 8 an hour; mid: 1 node at 3; slow: 2 nodes at 1. The task user:1000/cnn takes
// 10, 20 and 40 s per epoch on one node of them (so fast is best by time and slow by cost), and 6 s
// on two fast ones; cluster/mlp is known on mid alone. Partition main is on, trial shadow and
// allows cost alone.
inline ForecastTable sample_table() {
    ForecastTable table;
    table.service = "default";
    table.written_unix_s = sample_written_unix_s;
    table.max_age_s = 3600;
    table.decision_dir = "/var/lib/epochcast/decisions";
    table.classes = {
        {"fast", {"fast1", "fast2"}, 4e11, 8, 16, 64ull << 30},
        {"mid", {"mid1"}, 2e11, 3, 8, absent_count},
        {"slow", {"slow1", "slow2"}, 1e11, 1, 0, absent_count},
    };
    table.partitions = {{"main", Mode::on, {}}, {"trial", Mode::shadow, {"cost"}}};
    table.tasks = {
        {{"cluster", "mlp"}, {sample_placement(1, 1, 2)}},
        {{"user:1000", "cnn"},
         {sample_placement(0, 1, 10),
          sample_placement(0, 2, 6),
          sample_placement(1, 1, 20),
          sample_placement(2, 1, 40)}},
    };
    return table;
}

// `tasks` tasks with forecasts on `classes` classes of `nodes_per_class` nodes, for 1 to `counts`
// of them.
inline ForecastTable large_table(std::uint32_t tasks,
                                 std::uint32_t classes,
                                 std::uint32_t counts = 1,
                                 std::uint32_t nodes_per_class = 500) {
    ForecastTable table = sample_table();
    table.classes.clear();
    table.tasks.clear();
    for (std::uint32_t c = 0; c < classes; ++c) {
        NodeClass node_class{"class" + std::to_string(c), {}, 1e11 * (c + 1), 1.0 + c, 8, 1u << 30};
        for (std::uint32_t n = 0; n < nodes_per_class; ++n) {
            node_class.nodes.push_back("c" + std::to_string(c) + "n" + std::to_string(n));
        }
        table.classes.push_back(node_class);
    }
    for (std::uint32_t t = 0; t < tasks; ++t) {
        TaskForecasts task{{"user:" + std::to_string(1000 + t % 50), "task" + std::to_string(t)},
                           {}};
        for (std::uint32_t c = 0; c < classes; ++c) {
            for (std::uint32_t n = 1; n <= counts; ++n) {
                task.placements.push_back(sample_placement(c, n, 1 + (t * 7 + c * 13) % 97 / n));
            }
        }
        table.tasks.push_back(task);
    }
    std::ranges::sort(table.tasks, {}, &TaskForecasts::task);
    return table;
}

}  // namespace epochcast

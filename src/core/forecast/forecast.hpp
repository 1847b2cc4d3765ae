// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What one epoch of a task is expected to cost on a placement, with an interval and what it rests
// on. Rules of evidence are tried best first (design.md section 4); each has a file of its own.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/forecast/series.hpp"
#include "core/node_class.hpp"

namespace epochcast {

// The rule of evidence that a forecast rests on.
enum class Rule : std::uint8_t {
    same_placement = 1,  // epochs of this very series on this placement
    other_batch = 2,     // this model on this placement with other batch sizes
    other_class = 3,     // scaled from another class
    other_count = 4,     // scaled from another number of nodes or devices
    similar_task = 5,    // never seen: tasks of about the declared size
};

// Arithmetic means per epoch; absent (NaN) where nothing was measured.
struct EpochMeans {
    double time_s = absent;
    double cpu_s = absent;
    double peak_memory_bytes = absent;
    double disk_read_bytes = absent;
    double disk_written_bytes = absent;
    double flop = absent;
    double flop_rate = absent;  // total FLOP over total time, FLOP/s
};

struct Forecast {
    EpochMeans epoch;             // robust: warm-up, resumed, partial and absurd epochs left out
    double epoch_low_s = absent;  // 90 % interval of one epoch's time
    double epoch_high_s = absent;
    double startup_s = 0;  // once per job, before the first epoch
    EpochMeans mean_all;   // plain means over all epochs that ran (requirement A5)
    std::uint64_t samples_per_epoch = absent_count;
    Rule rule = Rule::same_placement;
    std::uint32_t records = 0;  // how many epochs it rests on
    std::string basis;          // in words: "from 12 epochs on this class"
    double step_s = absent;     // seconds per optimiser step; absent where steps are unknown
};

// The forecast of `task` on `placement` from `history`, or nothing where no rule applies.
// `attributes`: the series meant; absent means the attributes of the task's newest record.
// `classes` gives FLOP rates for the last resort of scaling between classes.
// It reads the whole history: who asks more than once builds a ForecastIndex.
std::optional<Forecast> forecast_epoch(std::span<const Series> history,
                                       const TaskKey& task,
                                       const std::optional<TaskAttributes>& attributes,
                                       const Placement& placement,
                                       std::span<const NodeClass> classes);

// Expected seconds of a whole job: start-up once plus epochs. epochs >= 1.
double job_time_s(const Forecast& forecast, std::uint64_t epochs);

}  // namespace epochcast

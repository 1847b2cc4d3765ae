// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The rules of evidence, one file each. A rule answers with a forecast or with nothing;
// forecast.cpp asks them best first.

#include <optional>
#include <span>

#include "core/forecast/forecast.hpp"

namespace epochcast {

// What is asked of a rule.
struct Question {
    std::span<const Series> history;
    const TaskKey& task;
    const TaskAttributes& attributes;
    const Placement& placement;
    std::span<const NodeClass> classes;
};

// Rule 1: mean over the epochs of the same series on the same placement.
std::optional<Forecast> forecast_same_placement(const Question& question);

// Rule 3: the same series on another class with as many nodes and devices, scaled by the ratio of
// epoch times that other tasks showed between the two classes, else by the classes' FLOP rates.
std::optional<Forecast> forecast_other_class(const Question& question);

// The forecast that one series gives for its own placement, or nothing if it has no usable epoch.
std::optional<Forecast> forecast_of_series(const Series& series);

}  // namespace epochcast

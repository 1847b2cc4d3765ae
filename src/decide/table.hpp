// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The table that the plugins hold: forecasts of a folder, with look-ups made ready so that a
// scheduling decision neither searches nor allocates much. It never changes once made.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/utility/policy.hpp"
#include "decide/epochcast_decide.h"

struct epochcast_table {
    explicit epochcast_table(epochcast::ForecastTable forecasts);
    epochcast_table(const epochcast_table&) = delete;  // the look-ups point into content
    epochcast_table& operator=(const epochcast_table&) = delete;

    struct Partition {
        int mode = EPOCHCAST_MODE_OFF;
        bool allows_all = true;
        std::vector<epochcast::Policy> allowed;  // where it does not
    };

    // The task's forecasts under the user's own scope, else under the cluster's; null: none.
    const epochcast::TaskForecasts* find_task(std::uint32_t uid, std::string_view name) const;

    const epochcast::ForecastTable content;
    std::unordered_map<std::string_view, std::int32_t> class_of_node;
    std::unordered_map<std::string_view, Partition> partitions;
};

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
#include <unordered_set>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/utility/policy.hpp"
#include "decide/epochcast_decide.h"

struct epochcast_table {
    explicit epochcast_table(epochcast::ForecastTable forecasts)
        : epochcast_table(std::make_shared<const epochcast::ForecastTable>(std::move(forecasts))) {}
    explicit epochcast_table(std::shared_ptr<const epochcast::ForecastTable> forecasts);
    epochcast_table(const epochcast_table&) = delete;  // the look-ups point into content
    epochcast_table& operator=(const epochcast_table&) = delete;

    struct Partition {
        int mode = EPOCHCAST_MODE_OFF;
        bool allows_all = true;
        std::vector<epochcast::Policy> allowed;  // where it does not
    };

    // Which nodes to distrust: those whose ping failed, unless so many failed that it is rather the
    // pings that are broken.
    void note_pings();
    void note_plan();

    // The task's forecasts under the user's own scope, else under the cluster's; null: none.
    const epochcast::TaskForecasts* find_task(std::uint32_t uid, std::string_view name) const;

    const std::shared_ptr<const epochcast::ForecastTable> owner;
    const epochcast::ForecastTable& content;
    std::unordered_map<std::string_view, std::int32_t> class_of_node;
    std::unordered_set<std::string_view> failed_pings;
    std::int64_t pings_fresh_until_unix_s = 0;
    std::unordered_map<std::uint32_t, const epochcast::PlannedJob*> planned;
    std::uint64_t plan_version = 1;
    std::int64_t plan_fresh_until_unix_s = 0;
    std::uint64_t nodes_version = 1;
    std::unordered_map<std::string_view, Partition> partitions;
};

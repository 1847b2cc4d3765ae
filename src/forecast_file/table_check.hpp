// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What must hold in a forecast table before it is written or believed, so that those who use one
// need no checks of their own.

#include "core/forecast/forecast_table.hpp"
#include "core/result.hpp"

namespace epochcast {

inline constexpr double max_quantity = 1e30;  // products of a few of them stay finite
inline constexpr std::size_t max_decision_dir_bytes = 1023;

// Names are 1 to 255 bytes without blanks, commas and control characters; the service is a file
// name; classes, nodes and partitions are unique; policies parse; tasks and placements are strictly
// sorted; class indices exist; times and rates are absent or in (0, max_quantity], other quantities
// absent or in [0, max_quantity]. Error: bad_input naming the first offender and its value.
Result<void> check_forecast_table(const ForecastTable& table);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A forecast table as people and programs read it.

#include <cstdint>
#include <string>

#include "cli/context.hpp"
#include "core/forecast/forecast_table.hpp"

namespace epochcast {

const char* to_text(Mode mode);

// "written 2026-01-02 03:04:05 UTC, 5 min 00 s ago, valid for another 23 h 55 min".
std::string age_text(const ForecastTable& table, std::int64_t now_unix_s);

// Classes, partitions and tasks, each as a table.
std::string forecast_table_text(const ForecastTable& table, std::int64_t now_unix_s);

Json forecast_table_json(const ForecastTable& table, std::int64_t now_unix_s);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Several services' tables made one. Pure: no file, no clock.

#include <string>
#include <vector>

#include "core/forecast/forecast_table.hpp"

namespace epochcast {

// Adds what `older` knows and `newer` does not: classes (after the newer's), partitions, tasks, and
// placements of tasks that both have. Where both say something the newer one wins. Returns what
// contradicts it, with nothing added: a class with other nodes, or a node in another class; empty
// when all went well. Both tables have passed check_forecast_table(), and so does the result.
std::string merge_older(ForecastTable& newer, const ForecastTable& older);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How long a model job that still runs will run on, from its own epoch log (C3).

#include <cstdint>
#include <string>

#include "cli/context.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

// "2 epochs, 16.2 s (15.8 to 16.6 s), from its own 3 epochs"; "" for a log that has ended or whose
// epochs were not declared. now_unix_s: UTC.
std::string remaining_text(const EpochLog& log, std::int64_t now_unix_s);

// The same; null where there is nothing to say.
Json remaining_json(const EpochLog& log, std::int64_t now_unix_s);

}  // namespace epochcast

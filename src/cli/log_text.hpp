// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Epoch logs as tables and as JSON. Everything in a log is hostile: names are shown escaped.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "cli/context.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

struct NamedLog {
    std::filesystem::path path;
    EpochLog log;
};

// Header, one row per epoch (with_units: also the rows of single nodes), totals, and what is left
// of a model job that still runs (now_unix_s: UTC).
std::string log_text(const NamedLog& named, bool with_units, std::int64_t now_unix_s);

// Loss and time of each epoch, the logs side by side, as many as fit 100 columns in one table.
std::string side_by_side_text(std::span<const NamedLog> logs);

Json log_json(const NamedLog& named, std::int64_t now_unix_s);

}  // namespace epochcast

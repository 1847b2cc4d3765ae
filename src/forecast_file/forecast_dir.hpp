// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The forecast files of one folder as one table, and until when it holds. read_forecast_dir() of
// forecast_file.hpp is the short form of this.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/result.hpp"

namespace epochcast {

inline constexpr std::size_t max_forecast_files = 256;  // the first ones by name are read

// One file that was left out.
struct ForecastFileProblem {
    std::string file;
    std::string reason;  // up to the first colon the kind of fault, then its details
};

// "'default.fb': truncated: 100 of 2048 bytes"
std::string to_text(const ForecastFileProblem& problem);

struct ForecastDir {
    ForecastTable table;
    std::int64_t fresh_until_unix_s = std::numeric_limits<std::int64_t>::max();  // earliest of all
};

// As read_forecast_dir(). `problems` is filled in both cases.
Result<ForecastDir> load_forecast_dir(const std::filesystem::path& dir,
                                      std::int64_t now_unix_s,
                                      std::vector<ForecastFileProblem>& problems);

// The names of the folder's forecast files: "*.fb", not hidden, sorted.
Result<std::vector<std::string>> forecast_file_names(const std::filesystem::path& dir);

}  // namespace epochcast

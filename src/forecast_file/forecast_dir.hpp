// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The forecast files of one folder as one table, and until when it holds. read_forecast_dir() of
// forecast_file.hpp is the short form of this.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/result.hpp"

namespace epochcast {

inline constexpr std::size_t max_forecast_files = 256;  // the first ones by name are read

// One file that cannot be used as it is.
struct ForecastFileProblem {
    std::string file;
    std::string reason;     // up to the first colon the kind of fault, then its details
    bool replaced = false;  // what it said when it was last good is used instead
};

// A table is large, and may be in use and kept as the last good one at once.
using SharedTable = std::shared_ptr<const ForecastTable>;

// What each file said when it was last good. Belongs to one reader of one folder.
struct LastGood {
    struct Content {
        SharedTable table;
        std::uint64_t bytes = 0;  // of the file
    };
    std::map<std::string, Content> files;  // by name
};

// "'default.fb': truncated: 100 of 2048 bytes"
std::string to_text(const ForecastFileProblem& problem);

struct ForecastDir {
    SharedTable table;                                                           // never null
    std::int64_t fresh_until_unix_s = std::numeric_limits<std::int64_t>::max();  // earliest of all
};

// As read_forecast_dir(). `problems` is filled in both cases. With `last_good`, a file that is
// there but cannot be read is replaced by what it said when it was last good, until that is stale;
// a file that is gone is forgotten.
Result<ForecastDir> load_forecast_dir(const std::filesystem::path& dir,
                                      std::int64_t now_unix_s,
                                      std::vector<ForecastFileProblem>& problems,
                                      LastGood* last_good = nullptr);

// The names of the folder's forecast files: "*.fb", not hidden, sorted.
Result<std::vector<std::string>> forecast_file_names(const std::filesystem::path& dir);

}  // namespace epochcast

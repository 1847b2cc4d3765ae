// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/forecast_file.hpp"

#include "core/text.hpp"
#include "forecast_file/forecast_dir.hpp"
#include "forecast_file/regular_file.hpp"

namespace epochcast {

Result<std::filesystem::path> write_forecast_file(const std::filesystem::path& dir,
                                                  const ForecastTable& table) {
    const auto bytes = encode_forecast_table(table);
    if (!bytes) return bytes.error();
    std::filesystem::path path = dir / (table.service + ".fb");
    if (auto written = replace_file(path, bytes.value()); !written) return written.error();
    return path;
}

Result<ForecastTable> read_forecast_file(const std::filesystem::path& path) {
    const auto bytes = read_regular_file(path, max_forecast_file_bytes);
    if (!bytes) return bytes.error();
    auto table = decode_forecast_table(bytes.value());
    if (table) return table;
    return Error{table.error().kind,
                 epochcast::quoted(path.native(), 400) + ": " + table.error().message};
}

Result<ForecastTable> read_forecast_dir(const std::filesystem::path& dir,
                                        std::int64_t now_unix_s,
                                        std::vector<std::string>& problems) {
    std::vector<ForecastFileProblem> left_out;
    auto loaded = load_forecast_dir(dir, now_unix_s, left_out);
    for (const ForecastFileProblem& problem : left_out) problems.push_back(to_text(problem));
    if (!loaded) return loaded.error();
    return ForecastTable(*loaded.value().table);
}

}  // namespace epochcast

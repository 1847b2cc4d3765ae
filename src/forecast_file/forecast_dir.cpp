// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/forecast_dir.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/text.hpp"
#include "forecast_file/forecast_file.hpp"
#include "forecast_file/merge.hpp"
#include "forecast_file/regular_file.hpp"

namespace epochcast {

namespace {

// Clocks of the hosts may differ by as much; a file from a later time would never get stale.
constexpr std::int64_t max_clock_difference_s = 3600;

// A table that was read, and the file's name.
struct NamedTable {
    std::string file;
    ForecastTable table;
};

std::string stale_reason(const ForecastTable& table, std::int64_t now_unix_s) {
    const std::int64_t age_s = now_unix_s - table.written_unix_s;
    if (age_s < -max_clock_difference_s) return "was written in the future; check the clocks";
    if (table.max_age_s != 0 && age_s > table.max_age_s) {
        return "is stale: " + human_duration(static_cast<double>(age_s)) + " old, at most " +
               human_duration(table.max_age_s) + " are allowed";
    }
    return {};
}

// The usable tables of the folder, newest first; ties by file name.
std::vector<NamedTable> read_tables(const std::filesystem::path& dir,
                                    const std::vector<std::string>& names,
                                    std::int64_t now_unix_s,
                                    std::vector<ForecastFileProblem>& problems) {
    std::vector<NamedTable> tables;
    std::uint64_t bytes_left = max_forecast_file_bytes;
    for (const std::string& name : names) {
        const auto skip = [&](const std::string& why) { problems.push_back({name, why}); };
        const auto bytes = read_regular_file(dir / name, max_forecast_file_bytes);
        if (!bytes) {
            skip(bytes.error().message);
            continue;
        }
        if (bytes.value().size() > bytes_left) {
            skip("with it the files of this folder exceed 16 MiB");
            continue;
        }
        auto table = decode_forecast_table(bytes.value());
        if (!table) {
            skip(table.error().message);
            continue;
        }
        const std::string stale = stale_reason(table.value(), now_unix_s);
        if (!stale.empty()) {
            skip(stale);
            continue;
        }
        bytes_left -= bytes.value().size();
        tables.push_back({name, std::move(table).value()});
    }
    std::ranges::stable_sort(
        tables, std::greater(), [](const NamedTable& named) { return named.table.written_unix_s; });
    return tables;
}

std::int64_t fresh_until(const ForecastTable& table) {
    if (table.max_age_s == 0) return std::numeric_limits<std::int64_t>::max();
    return table.written_unix_s + table.max_age_s;
}

}  // namespace

std::string to_text(const ForecastFileProblem& problem) {
    return epochcast::quoted(problem.file) + ": " + problem.reason;
}

Result<std::vector<std::string>> forecast_file_names(const std::filesystem::path& dir) {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator entry(dir, error);
    const std::filesystem::directory_iterator end;
    while (!error && entry != end) {
        const std::filesystem::path name = entry->path().filename();
        if (name.extension() == ".fb" && name.native()[0] != '.') names.push_back(name.native());
        entry.increment(error);
    }
    if (error) {
        return Error{
            ErrorKind::environment,
            "cannot read folder " + epochcast::quoted(dir.native(), 400) + ": " + error.message()};
    }
    std::ranges::sort(names);
    return names;
}

Result<ForecastDir> load_forecast_dir(const std::filesystem::path& dir,
                                      std::int64_t now_unix_s,
                                      std::vector<ForecastFileProblem>& problems) {
    problems.clear();
    auto names = forecast_file_names(dir);
    if (!names) return names.error();
    if (names.value().empty()) {
        return Error{ErrorKind::environment,
                     "no forecast file (*.fb) in " + epochcast::quoted(dir.native(), 400)};
    }
    for (; names.value().size() > max_forecast_files; names.value().pop_back()) {
        problems.push_back({names.value().back(), "this folder has too many files"});
    }
    std::optional<ForecastDir> merged;
    for (NamedTable& named : read_tables(dir, names.value(), now_unix_s, problems)) {
        const std::int64_t until = fresh_until(named.table);
        if (!merged) {
            merged = ForecastDir{std::move(named.table), until};
            continue;
        }
        const std::string contradiction = merge_older(merged->table, named.table);
        if (contradiction.empty()) {
            merged->fresh_until_unix_s = std::min(merged->fresh_until_unix_s, until);
        } else {
            problems.push_back({named.file, "contradicts a newer file: " + contradiction});
        }
    }
    if (merged) return std::move(*merged);
    std::string message = "no usable forecast file in " + epochcast::quoted(dir.native(), 400);
    for (const ForecastFileProblem& problem : problems) message += "; " + to_text(problem);
    return Error{ErrorKind::bad_input, message};
}

}  // namespace epochcast

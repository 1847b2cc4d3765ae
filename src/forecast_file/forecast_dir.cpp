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
    SharedTable table;
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

// What one file says, or, if it cannot be read, what `last_good` (may be null) has of it.
// `problem` gets a reason if it is not as it should be; nothing is returned if it cannot be used.
std::optional<LastGood::Content> content_of(const std::filesystem::path& dir,
                                            std::int64_t now_unix_s,
                                            LastGood* last_good,
                                            ForecastFileProblem& problem) {
    std::optional<LastGood::Content> content;
    const auto bytes = read_regular_file(dir / problem.file, max_forecast_file_bytes);
    if (!bytes) {
        problem.reason = bytes.error().message;
    } else if (auto table = decode_forecast_table(bytes.value())) {
        content = {std::make_shared<const ForecastTable>(std::move(table).value()),
                   bytes.value().size()};
        if (last_good != nullptr) last_good->files[problem.file] = *content;
        problem.reason = stale_reason(*content->table, now_unix_s);
        if (!problem.reason.empty()) content.reset();
        return content;
    } else {
        problem.reason = table.error().message;
    }
    if (last_good == nullptr) return content;
    const auto known = last_good->files.find(problem.file);
    if (known == last_good->files.end()) return content;
    problem.replaced = stale_reason(*known->second.table, now_unix_s).empty();
    if (problem.replaced) content = known->second;
    return content;
}

// The usable tables of the folder, newest first; ties by file name.
std::vector<NamedTable> read_tables(const std::filesystem::path& dir,
                                    const std::vector<std::string>& names,
                                    std::int64_t now_unix_s,
                                    std::vector<ForecastFileProblem>& problems,
                                    LastGood* last_good) {
    std::vector<NamedTable> tables;
    std::uint64_t bytes_left = max_forecast_file_bytes;
    for (const std::string& name : names) {
        ForecastFileProblem problem{name, {}};
        auto content = content_of(dir, now_unix_s, last_good, problem);
        if (content && content->bytes > bytes_left) {
            problem = {name, "with it the files of this folder exceed 16 MiB"};
            content.reset();
        }
        if (!problem.reason.empty()) problems.push_back(problem);
        if (!content) continue;
        bytes_left -= content->bytes;
        tables.push_back({name, std::move(content->table)});
    }
    std::ranges::stable_sort(tables, std::greater(), [](const NamedTable& named) {
        return named.table->written_unix_s;
    });
    return tables;
}

// Forgets what is known of files that are gone.
void forget_others(LastGood& last_good, const Result<std::vector<std::string>>& names) {
    std::erase_if(last_good.files, [&](const auto& known) {
        return !names || !std::ranges::binary_search(names.value(), known.first);
    });
}

std::int64_t fresh_until(const ForecastTable& table) {
    if (table.max_age_s == 0) return std::numeric_limits<std::int64_t>::max();
    return table.written_unix_s + table.max_age_s;
}

// All tables in one, the newest first. At least one; a single one is not copied.
ForecastDir merged(const std::vector<NamedTable>& tables,
                   std::vector<ForecastFileProblem>& problems) {
    ForecastDir result{tables[0].table, fresh_until(*tables[0].table)};
    if (tables.size() == 1) return result;
    const auto sum = std::make_shared<ForecastTable>(*tables[0].table);
    for (std::size_t i = 1; i < tables.size(); ++i) {
        const std::string contradiction = merge_older(*sum, *tables[i].table);
        if (contradiction.empty()) {
            result.fresh_until_unix_s =
                std::min(result.fresh_until_unix_s, fresh_until(*tables[i].table));
        } else {
            problems.push_back({tables[i].file, "contradicts a newer file: " + contradiction});
        }
    }
    result.table = sum;
    return result;
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
                                      std::vector<ForecastFileProblem>& problems,
                                      LastGood* last_good) {
    problems.clear();
    auto names = forecast_file_names(dir);
    if (last_good != nullptr) forget_others(*last_good, names);
    if (!names) return names.error();
    if (names.value().empty()) {
        return Error{ErrorKind::environment,
                     "no forecast file (*.fb) in " + epochcast::quoted(dir.native(), 400)};
    }
    for (; names.value().size() > max_forecast_files; names.value().pop_back()) {
        problems.push_back({names.value().back(), "this folder has too many files"});
    }
    const auto tables = read_tables(dir, names.value(), now_unix_s, problems, last_good);
    if (!tables.empty()) return merged(tables, problems);
    std::string message = "no usable forecast file in " + epochcast::quoted(dir.native(), 400);
    for (const ForecastFileProblem& problem : problems) message += "; " + to_text(problem);
    return Error{ErrorKind::bad_input, message};
}

}  // namespace epochcast

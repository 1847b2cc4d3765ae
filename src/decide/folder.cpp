// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/folder.hpp"

#include <sys/stat.h>
#include <vector>

#include "core/text.hpp"
#include "forecast_file/checksum.hpp"
#include "forecast_file/forecast_file.hpp"
#include "forecast_file/regular_file.hpp"

namespace epochcast {

namespace {

// How often a file that could not be used is tried again: it may be the disk that recovered.
constexpr std::int64_t retry_s = 30;

bool is_there(const std::filesystem::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0;
}

std::string_view before_colon(std::string_view text) { return text.substr(0, text.find(':')); }

std::string stat_text(const std::filesystem::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return "-";
    std::string text;
    for (const auto number : {static_cast<long long>(status.st_dev),
                              static_cast<long long>(status.st_ino),
                              static_cast<long long>(status.st_mode),
                              static_cast<long long>(status.st_size),
                              static_cast<long long>(status.st_mtim.tv_sec),
                              static_cast<long long>(status.st_mtim.tv_nsec),
                              static_cast<long long>(status.st_ctim.tv_sec),
                              static_cast<long long>(status.st_ctim.tv_nsec)}) {
        text += std::to_string(number) + ' ';
    }
    return text;
}

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

FolderState state_of(ForecastDir loaded, const std::vector<ForecastFileProblem>& problems) {
    FolderState state;
    state.line = "forecasts in use: " + counted(loaded.table->tasks.size(), "task", "tasks") +
                 " on " + counted(loaded.table->classes.size(), "node class", "node classes") +
                 " (written by '" + loaded.table->service + "')";
    state.kind = "in use";
    state.read_again_unix_s = loaded.fresh_until_unix_s;
    for (const ForecastFileProblem& problem : problems) {
        state.line += problem.replaced ? "; as it was before: " : "; left out ";
        state.line += to_text(problem);
    }
    state.table = std::make_unique<epochcast_table>(std::move(loaded.table));
    return state;
}

}  // namespace

FolderState read_folder(const std::filesystem::path& dir,
                        std::int64_t now_unix_s,
                        LastGood& last_good) {
    FolderState state;
    if (is_there(dir / "off")) {
        state.kind = "off";
        state.line = "switched off by the file " + epochcast::quoted((dir / "off").native(), 400);
        return state;
    }
    std::vector<ForecastFileProblem> problems;
    auto loaded = load_forecast_dir(dir, now_unix_s, problems, &last_good);
    if (loaded) {
        state = state_of(std::move(loaded).value(), problems);
    } else {
        state.kind = "none " + std::string(before_colon(loaded.error().message));
        state.line = "no forecasts, scheduling is Slurm's own: " + loaded.error().message;
        state.read_again_unix_s = now_unix_s + retry_s;
    }
    for (const ForecastFileProblem& problem : problems) {
        state.kind += "; " + problem.file + (problem.replaced ? " as before, " : " ") +
                      std::string(before_colon(problem.reason));
        state.read_again_unix_s = std::min(state.read_again_unix_s, now_unix_s + retry_s);
    }
    return state;
}

std::string folder_fingerprint(const std::filesystem::path& dir) {
    if (is_there(dir / "off")) return "off";
    const auto names = forecast_file_names(dir);
    if (!names) return names.error().message;
    std::string fingerprint;
    for (const std::string& name : names.value()) {
        fingerprint += name + '\n' + stat_text(dir / name) + '\n';
    }
    return fingerprint;
}

std::uint64_t folder_checksum(const std::filesystem::path& dir) {
    std::uint64_t sum = 0;
    const auto names = forecast_file_names(dir);
    if (!names) return sum;
    for (const std::string& name : names.value()) {
        const auto bytes = read_regular_file(dir / name, max_forecast_file_bytes);
        sum = sum * 31 + (bytes ? crc64(bytes.value()) : 1);
    }
    return sum;
}

}  // namespace epochcast

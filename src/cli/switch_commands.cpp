// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/table_text.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "forecast_file/forecast_dir.hpp"
#include "forecast_file/forecast_file.hpp"

namespace epochcast {

namespace {

constexpr const char* not_permitted = "; run this as the administrator or set forecast_dir";

std::filesystem::path off_file(const Config& config) { return config.forecast_dir / "off"; }

bool is_off(const Config& config) {
    std::error_code failure;
    const auto type = std::filesystem::symlink_status(off_file(config), failure).type();
    return type != std::filesystem::file_type::not_found &&
           type != std::filesystem::file_type::none;
}

int switch_off(Context& context) {
    const auto config = load_config(context);
    if (!config) return fail(context, config.error());
    const auto path = off_file(config.value());
    std::error_code failure;
    std::filesystem::create_directories(path.parent_path(), failure);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 && errno != EEXIST) {
        const std::error_code reason(errno, std::generic_category());
        return fail(context,
                    {ErrorKind::environment,
                     epochcast::quoted(path.string(), 200) +
                         " cannot be created: " + reason.message() + not_permitted});
    }
    if (file >= 0) ::close(file);
    context.out << (file < 0 ? "was off already" : "off: within 2 s no job is steered any more")
                << " (" << path.string() << "); `epochcast on` ends it\n";
    return exit_ok;
}

int switch_on(Context& context) {
    const auto config = load_config(context);
    if (!config) return fail(context, config.error());
    const auto path = off_file(config.value());
    std::error_code failure;
    const bool was_off = std::filesystem::remove(path, failure);
    if (failure) {
        return fail(context,
                    {ErrorKind::environment,
                     epochcast::quoted(path.string(), 200) +
                         " cannot be removed: " + failure.message() + not_permitted});
    }
    context.out << (was_off ? "on: " : "was on already: ") << path.string()
                << (was_off ? " is removed" : " does not exist") << "\n";
    return exit_ok;
}

struct FileState {
    std::string name;
    std::string problem;  // why it is left out; empty: it is used
    Result<ForecastTable> table;
};

struct Status {
    Config config;
    bool is_off = false;
    std::string folder_problem;  // why no file can be used at all; empty: some can
    std::vector<FileState> files;
    std::vector<PartitionRule> partitions;
};

Status status_of(const Config& config, std::int64_t now_unix_s) {
    Status status;
    status.config = config;
    status.is_off = is_off(config);
    std::vector<ForecastFileProblem> problems;
    const auto merged = load_forecast_dir(config.forecast_dir, now_unix_s, problems);
    if (merged) {
        status.partitions = merged.value().table->partitions;
    } else {
        status.folder_problem = merged.error().message;
    }
    const auto names = forecast_file_names(config.forecast_dir);
    if (!names) return status;
    for (const std::string& name : names.value()) {
        const auto problem = std::ranges::find(problems, name, &ForecastFileProblem::file);
        status.files.push_back({name,
                                problem == problems.end() ? "" : problem->reason,
                                read_forecast_file(config.forecast_dir / name)});
    }
    return status;
}

std::string file_table(const Status& status, std::int64_t now_unix_s) {
    Table table;
    table.column("forecast file", Table::Align::left);
    for (const char* heading : {"age", "valid for", "tasks", "classes"}) table.column(heading);
    table.column("state", Table::Align::left);
    for (const FileState& file : status.files) {
        std::vector<std::string> cells = {plain(file.name)};
        if (file.table) {
            const ForecastTable& content = file.table.value();
            const auto age_s = static_cast<double>(now_unix_s - content.written_unix_s);
            const double left_s = std::max(0.0, content.max_age_s - age_s);
            cells.insert(cells.end(),
                         {human_duration(age_s),
                          content.max_age_s == 0 ? "no limit" : human_duration(left_s),
                          std::to_string(content.tasks.size()),
                          std::to_string(content.classes.size())});
        } else {
            cells.insert(cells.end(), {"-", "-", "-", "-"});
        }
        cells.push_back(file.problem.empty() ? "in use" : "left out: " + file.problem);
        table.row(std::move(cells));
    }
    return table.text();
}

std::string paths_text(const std::vector<std::filesystem::path>& paths) {
    std::string text;
    for (const auto& path : paths) text += (text.empty() ? "" : ", ") + plain(path.string(), 300);
    return text.empty() ? "no file, all defaults" : text;
}

std::string dir_text(const std::filesystem::path& path, const char* if_empty) {
    if (path.empty()) return if_empty;
    std::error_code failure;
    const bool is_there = std::filesystem::exists(path, failure);
    std::string text = plain(path.string(), 300);
    if (failure) return text + " (" + failure.message() + ")";
    return is_there ? text : text + " (not there yet)";
}

void print_status(Context& context, const Status& status) {
    const auto line = [&](const char* label, const std::string& value) {
        context.out << fmt::format("{:<14} {}\n", label, value);
    };
    line("epochcast", package_version);
    line("configuration", paths_text(status.config.files));
    line("steering",
         status.is_off ? "off (" + off_file(status.config).string() + " is there)" : "on");
    line("forecasts", dir_text(status.config.forecast_dir, ""));
    line("history", dir_text(status.config.history_dir, ""));
    line("decisions", dir_text(status.config.decision_dir, "not recorded"));
    line("FLOP rates", dir_text(status.config.probe_file, ""));
    std::string partitions;
    for (const PartitionRule& rule : status.partitions) {
        partitions +=
            (partitions.empty() ? "" : ", ") + plain(rule.name) + " " + to_text(rule.mode);
    }
    line("partitions", partitions.empty() ? "none: all are off" : partitions);
    if (!status.files.empty()) {
        context.out << "\n" << file_table(status, context.environment.unix_s);
    }
    if (!status.folder_problem.empty()) {
        context.out << "\nno job is steered: " << status.folder_problem << "\n";
    }
}

Json status_json(const Context& context, const Status& status) {
    Json files = Json::array();
    for (const FileState& file : status.files) {
        Json row = {{"file", file.name},
                    {"used", file.problem.empty()},
                    {"problem", json_text(file.problem)}};
        if (file.table) {
            row["age_s"] = context.environment.unix_s - file.table.value().written_unix_s;
            row["max_age_s"] = file.table.value().max_age_s;
            row["tasks"] = file.table.value().tasks.size();
            row["classes"] = file.table.value().classes.size();
        }
        files.push_back(std::move(row));
    }
    Json partitions = Json::array();
    for (const PartitionRule& rule : status.partitions) {
        partitions.push_back({{"partition", rule.name}, {"mode", to_text(rule.mode)}});
    }
    Json config_files = Json::array();
    for (const auto& path : status.config.files) config_files.push_back(path.string());
    return {{"schema", "epochcast.status.v1"},
            {"version", package_version},
            {"config_files", config_files},
            {"is_off", status.is_off},
            {"forecast_dir", status.config.forecast_dir.string()},
            {"history_dir", status.config.history_dir.string()},
            {"decision_dir", json_text(status.config.decision_dir.string())},
            {"probe_file", status.config.probe_file.string()},
            {"problem", json_text(status.folder_problem)},
            {"partitions", partitions},
            {"forecast_files", files}};
}

int show_status(Context& context) {
    const auto config = load_config(context);
    if (!config) return fail(context, config.error());
    const Status status = status_of(config.value(), context.environment.unix_s);
    if (context.as_json) {
        print_json(context, status_json(context, status));
    } else {
        print_status(context, status);
    }
    return status.is_off || !status.folder_problem.empty() ? exit_negative : exit_ok;
}

}  // namespace

void add_switches(CLI::App& app, Context& context) {
    CLI::App* off = app.add_subcommand("off", "Stop steering every job, within 2 s");
    off->footer(
        "Creates the file `off` in forecast_dir. Slurm needs no restart and loses no job; "
        "logging,\n"
        "history and forecasts go on.");
    off->callback([&context] { context.exit_code = switch_off(context); });
    CLI::App* on = app.add_subcommand("on", "Steer again after `epochcast off`");
    on->footer("Removes the file `off` from forecast_dir.");
    on->callback([&context] { context.exit_code = switch_on(context); });
    CLI::App* status = app.add_subcommand(
        "status", "Show version, configuration files, on or off, forecast files with age");
    status->add_flag("--json", context.as_json, "Print JSON");
    status->footer("Exit code 1: steering is off, or there is no forecast file that can be used.");
    status->callback([&context] { context.exit_code = show_status(context); });
}

}  // namespace epochcast

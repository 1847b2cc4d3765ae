// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "cli/doctor.hpp"
#include "cli/table_text.hpp"
#include "cli/text_file.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "forecast_file/forecast_dir.hpp"

namespace epochcast {

namespace {

constexpr const char* turn_on = "epochcast-activate on, then restart slurmctld";

std::string value_of(const std::map<std::string, std::string>& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? "" : found->second;
}

// When a process started, in clock ticks since boot, as /proc says it; empty: there is none.
std::string start_ticks(const std::string& pid) {
    const bool is_number = !pid.empty() && pid.find_first_not_of("0123456789") == pid.npos;
    const auto text = read_text_file("process", "/proc/" + (is_number ? pid : "none") + "/stat");
    if (!text) return "";
    // Fields are counted from behind the program's name, which may hold blanks and brackets.
    std::istringstream fields(text.value().substr(text.value().rfind(')') + 1));
    std::string field;
    fields >> field;
    if (field == "Z" || field == "X") return "";  // only its exit status is left
    for (int i = 4; i <= 22; ++i) fields >> field;
    return field;
}

// What the shim that is in slurmctld now said about itself.
Finding check_shim(const DoctorCase& doctor) {
    Finding absent{"shim", Health::problem, "slurmctld runs without the shim", turn_on};
    if (doctor.slurm.empty()) return {"shim", Health::unknown, "slurmctld does not answer", {}};
    const std::filesystem::path dir = value_of(doctor.slurm, "StateSaveLocation");
    std::error_code failure;
    const bool is_there = std::filesystem::exists(dir / "epochcast" / "state", failure);
    if (!is_there && !failure) return absent;
    const auto text = read_text_file("state", dir / "epochcast" / "state");
    if (!text) {
        return {"shim",
                Health::unknown,
                plain(dir.string(), 200) + " cannot be read",
                "run this as root or as SlurmUser"};
    }
    const auto state = parse_shim_state(text.value());
    if (start_ticks(value_of(state, "pid")) != value_of(state, "start_ticks") ||
        value_of(state, "start_ticks").empty()) {
        Finding finding = absent;
        finding.text +=
            ", as it once did (lines of epochcast-slurmctld in slurmctld's journal say "
            "why)";
        return finding;
    }
    if (value_of(state, "steers") != "yes") {
        return {"shim",
                Health::problem,
                "it stands aside, because slurmctld died twice soon after its start",
                "look for the cause in slurmctld's log; `scontrol reconfigure` steers again"};
    }
    Finding finding{"shim", Health::ok, {}, {}};
    finding.text = "in slurmctld (process " + plain(value_of(state, "pid")) + "), epochcast " +
                   plain(value_of(state, "epochcast")) + " for Slurm " +
                   plain(value_of(state, "slurm"));
    if (value_of(state, "epochcast") != package_version) {
        finding.health = Health::problem;
        finding.advice = std::string("restart slurmctld: this command is epochcast ") +
                         package_version + ", installed later";
    }
    return finding;
}

// slurmctld and this command must mean the same folder.
Finding check_folder(const DoctorCase& doctor) {
    const std::string configured = doctor.config.forecast_dir.string();
    Finding finding{"forecast folder", Health::ok, plain(configured, 300), {}};
    const std::filesystem::path dir = value_of(doctor.slurm, "StateSaveLocation");
    const auto text = read_text_file("state", dir / "epochcast" / "state");
    const std::string used = text ? value_of(parse_shim_state(text.value()), "forecast_dir") : "";
    if (used.empty() || used == configured) return finding;
    finding.health = Health::problem;
    finding.text = "slurmctld reads " + plain(used, 300) + ", the configuration says " +
                   plain(configured, 300);
    finding.advice = "set forecast_dir, or EPOCHCAST_FORECAST_DIR in slurmctld's environment";
    return finding;
}

Finding check_forecasts(const DoctorCase& doctor) {
    Finding finding{"forecasts", Health::ok, {}, {}};
    const auto& dir = doctor.config.forecast_dir;
    std::error_code ignored;
    if (std::filesystem::symlink_status(dir / "off", ignored).type() !=
            std::filesystem::file_type::not_found &&
        !ignored) {
        return {"forecasts", Health::problem, "steering is switched off", "epochcast on"};
    }
    std::vector<ForecastFileProblem> problems;
    const std::int64_t now = doctor.context.environment.unix_s;
    const auto loaded = load_forecast_dir(dir, now, problems);
    if (!loaded) {
        return {"forecasts", Health::problem, loaded.error().message, "epochcast forecast write"};
    }
    const ForecastTable& table = *loaded.value().table;
    std::string modes;
    for (const PartitionRule& rule : table.partitions) {
        modes += (modes.empty() ? "" : ", ") + plain(rule.name) + " " + to_text(rule.mode);
    }
    finding.text = plural(table.tasks.size(), "task") + ", newest file " +
                   human_duration(static_cast<double>(now - table.written_unix_s)) +
                   " old, partitions: " + (modes.empty() ? "none" : modes);
    if (modes.empty()) {
        finding.health = Health::problem;
        finding.advice = "name partitions with a mode in the configuration; all are off";
    }
    for (const ForecastFileProblem& problem : problems) {
        finding.health = Health::problem;
        finding.text += "; left out " + to_text(problem);
        finding.advice = "epochcast forecast write";
    }
    return finding;
}

// The folder with Slurm's own select plugin, among those that slurmctld looks in.
std::filesystem::path stock_plugin(const DoctorCase& doctor) {
    std::error_code ignored;
    const std::string dirs = value_of(doctor.slurm, "PluginDir");
    for (const std::string_view dir : split(dirs, ':')) {
        auto file = std::filesystem::path(dir) / "select_cons_tres.so";
        if (std::filesystem::exists(std::filesystem::path(dir) / "libslurmfull.so", ignored) &&
            std::filesystem::exists(file, ignored)) {
            return file;
        }
    }
    return {};
}

// The same test as before each activation.
Finding check_fit(const DoctorCase& doctor) {
    Finding finding{"plugins", Health::ok, {}, {}};
    const auto selftest = doctor.plugin_dir.parent_path() / "epochcast-selftest";
    std::error_code ignored;
    if (doctor.plugin_dir.empty() || !std::filesystem::exists(selftest, ignored)) {
        return {"plugins",
                Health::problem,
                "no plugins of ours are found beside this command",
                "install epochcast's plugins on the controller"};
    }
    const auto stock = stock_plugin(doctor);
    if (stock.empty()) {
        return {"plugins", Health::unknown, "Slurm's own select plugin is not found", {}};
    }
    std::string output;
    const int code = run_merged({"sh",
                                 "-c",
                                 R"sh(PATH=$PATH:/usr/sbin:/usr/local/sbin
                                    exec "$1" "$2" "$3" "$(command -v slurmctld)")sh",
                                 "sh",
                                 selftest.string(),
                                 (doctor.plugin_dir / "select_cons_tres.so").string(),
                                 stock.string()},
                                output);
    finding.text = code == 0 ? "the shim in " + plain(doctor.plugin_dir.string(), 300) +
                                   " fits the installed slurmctld"
                             : plain(std::string(trimmed(output)), 300);
    if (code != 0) {
        finding.health = Health::problem;
        finding.advice = "build and install epochcast for exactly the installed Slurm";
    }
    return finding;
}

}  // namespace

std::map<std::string, std::string> parse_shim_state(const std::string& text) {
    std::map<std::string, std::string> state;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t blank = line.find(' ');
        if (blank != line.npos) state[line.substr(0, blank)] = line.substr(blank + 1);
    }
    return state;
}

std::vector<Finding> check_controller(const DoctorCase& doctor) {
    return {check_shim(doctor), check_fit(doctor), check_folder(doctor), check_forecasts(doctor)};
}

}  // namespace epochcast

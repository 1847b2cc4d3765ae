// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli/child.hpp"
#include "cli/doctor.hpp"
#include "cli/text_file.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "core/version.hpp"

namespace epochcast {

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

std::string last_word(const std::string& text) {
    const std::string_view words = trimmed(text);
    return std::string(words.substr(words.find_last_of(" \n") + 1));
}

std::string first_line(const std::string& text) {
    return plain(std::string(trimmed(text)).substr(0, trimmed(text).find('\n')), 200);
}

Finding check_answers(const DoctorCase& doctor) {
    Finding finding{"Slurm answers", Health::ok, {}, {}};
    if (doctor.slurm.empty()) {
        std::string output;
        run_merged({"scontrol", "show", "config"}, output);
        finding.health = Health::problem;
        finding.text = "`scontrol show config` says: " + first_line(output);
        finding.advice =
            "mend Slurm on this host first; a folder that is named in PluginDir but missing here "
            "also does this";
    } else {
        finding.text = "cluster " + plain(doctor.slurm.at("ClusterName")) +
                       ", controller's Slurm " + plain(doctor.slurm.at("SLURM_VERSION"));
    }
    return finding;
}

Finding check_version(const DoctorCase& doctor) {
    Finding finding{"versions", Health::ok, {}, {}};
    std::string output;
    if (run_merged({"scontrol", "-V"}, output) != 0) {
        return {"versions", Health::unknown, "`scontrol -V` says: " + first_line(output), {}};
    }
    const std::string here = last_word(output);
    finding.text = std::string("epochcast ") + package_version + ", Slurm here " + plain(here);
    if (!doctor.slurm.empty() && here != doctor.slurm.at("SLURM_VERSION")) {
        finding.text += ", controller " + plain(doctor.slurm.at("SLURM_VERSION"));
        finding.health = Health::problem;
        finding.advice =
            "SPANK works if the first two numbers are equal; the shim needs all three on the "
            "controller";
    }
    return finding;
}

std::filesystem::path slurm_conf() {
    const char* named = std::getenv("SLURM_CONF");
    if (named != nullptr && *named != '\0') return named;
    std::error_code ignored;
    for (const char* place : {"/etc/slurm/slurm.conf", "/run/slurm/conf/slurm.conf"}) {
        if (std::filesystem::exists(place, ignored)) return place;
    }
    return {};
}

// Of this host's own file: what slurmctld has in memory may hold a folder of the controller alone.
Finding check_plugin_dir() {
    Finding finding{"PluginDir", Health::ok, {}, {}};
    const auto file = slurm_conf();
    const auto text = read_text_file("configuration", file);
    if (file.empty() || !text) {
        finding.health = Health::unknown;
        finding.text = "no slurm.conf is readable here (configless)";
        return finding;
    }
    const auto dirs = conf_values(text.value(), "PluginDir");
    if (dirs.empty()) {
        finding.text = "not set in " + plain(file.string(), 200) + ", so Slurm's own";
        return finding;
    }
    finding.text = plain(dirs.back(), 400);
    std::error_code ignored;
    for (const std::string_view dir : split(dirs.back(), ':')) {
        if (std::filesystem::is_directory(dir, ignored)) continue;
        finding.health = Health::problem;
        finding.advice = "make the folder " + plain(std::string(dir), 200) +
                         " (empty will do) or take it out of PluginDir: Slurm's programs stop at a "
                         "missing one";
    }
    return finding;
}

Finding check_spank(const DoctorCase& doctor) {
    Finding finding{"options known here", Health::ok, "sbatch knows --train-policy", {}};
    std::string output;
    const int code = run_merged({"sbatch", "--help"}, output);
    if (output.find("--train-policy") != output.npos) return finding;
    if (code != 0) {
        return {finding.check, Health::unknown, "`sbatch --help` says: " + first_line(output), {}};
    }
    finding.health = Health::problem;
    finding.text = "sbatch knows no --train-policy";
    const auto known = doctor.slurm.find("PlugStackConfig");
    const std::string file = known == doctor.slurm.end() ? "plugstack.conf" : plain(known->second);
    const auto text = read_text_file("configuration", file);
    const bool is_named = text && text.value().find("spank_epochcast.so") != std::string::npos;
    finding.advice = is_named ? "the line in " + file +
                                    " names a file that does not load here: see that it exists and "
                                    "is for this Slurm"
                              : "add to " + file + ": optional " +
                                    (doctor.plugin_dir / "spank_epochcast.so").string();
    return finding;
}

// A refusal in our words can only come from job_submit; --test-only submits nothing.
Finding check_job_submit(const DoctorCase& doctor) {
    Finding finding{"options reach slurmctld", Health::ok, "job_submit refuses a wrong value", {}};
    if (doctor.slurm.empty()) {
        return {"options reach slurmctld", Health::unknown, "slurmctld does not answer", {}};
    }
    std::string output;
    const int code = run_merged(
        {"sbatch", "--test-only", "--comment=epochcast:policy=no-such-policy", "--wrap=true"},
        output);
    if (output.find("epochcast: ") != output.npos) return finding;
    // Accepted: nobody read the comment. Refused by others (account, limits): nothing is known.
    const bool is_accepted = code == 0;
    finding.health = is_accepted ? Health::problem : Health::unknown;
    finding.text = is_accepted ? "a wrong value passes: slurmctld has no job_submit/epochcast"
                               : "sbatch --test-only says: " + first_line(output);
    finding.advice = is_accepted
                         ? "on the controller run epochcast-activate on, or append epochcast "
                           "to JobSubmitPlugins; then restart slurmctld"
                         : "run this as a user who may submit jobs";
    return finding;
}

}  // namespace

SlurmSettings parse_slurm_settings(const std::string& text) {
    SlurmSettings settings;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        if (equals == line.npos) continue;
        settings[std::string(trimmed(line.substr(0, equals)))] =
            std::string(trimmed(line.substr(equals + 1)));
    }
    // Some other text with an equals sign in it is no configuration.
    if (!settings.contains("SLURM_VERSION") || !settings.contains("ClusterName")) return {};
    return settings;
}

std::vector<std::string> conf_values(const std::string& text, const std::string& key) {
    std::vector<std::string> values;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
        const std::size_t equals = content.find('=');
        if (equals == content.npos) continue;
        if (lower(std::string(trimmed(content.substr(0, equals)))) == lower(key)) {
            values.emplace_back(trimmed(content.substr(equals + 1)));
        }
    }
    return values;
}

int run_merged(const std::vector<std::string>& arguments, std::string& output) {
    std::vector<std::string> command = {"sh", "-c", R"(exec timeout 15 "$@" 2>&1)", "sh"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto ran = run_child(command, environment_outside_jobs());
    output = ran ? ran.value().text : ran.error().message;
    return ran ? ran.value().exit_code : 127;
}

std::vector<Finding> check_host(const DoctorCase& doctor) {
    return {check_answers(doctor),
            check_version(doctor),
            check_plugin_dir(),
            check_spank(doctor),
            check_job_submit(doctor)};
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <unistd.h>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/doctor.hpp"
#include "cli/site.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

enum class HostRole { controller, login, compute };

const char* to_text(HostRole role) {
    return role == HostRole::controller ? "controller"
           : role == HostRole::compute  ? "compute"
                                        : "login";
}

const char* to_text(Health health) {
    return health == Health::ok ? "ok" : health == Health::problem ? "problem" : "unknown";
}

std::string short_host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "";
    const std::string whole = name.data();
    return whole.substr(0, whole.find('.'));
}

// Controller: a SlurmctldHost of the configuration has this host's name. Compute: slurmd runs here.
HostRole role_of_this_host(const SlurmSettings& slurm) {
    for (const auto& [key, value] : slurm) {
        const std::string host = value.substr(0, value.find_first_of("(."));
        if (key.starts_with("SlurmctldHost") && (host == short_host_name() || host == "localhost"))
            return HostRole::controller;
    }
    std::string output;
    return run_merged({"pidof", "slurmd"}, output) == 0 ? HostRole::compute : HostRole::login;
}

// Beside this command, where it is installed and in the build tree.
std::filesystem::path plugin_dir_of(const std::filesystem::path& executable) {
    const auto prefix = executable.parent_path().parent_path();
    std::error_code ignored;
    for (const auto& dir :
         {prefix / EPOCHCAST_INSTALL_LIBDIR / "epochcast" / "slurm", prefix / "lib" / "slurm"}) {
        if (std::filesystem::exists(dir / "spank_epochcast.so", ignored)) return dir;
    }
    return {};
}

void print_findings(Context& context, HostRole role, const std::vector<Finding>& findings) {
    context.out << "host " << plain(short_host_name()) << ", role " << to_text(role) << "\n";
    for (const Finding& finding : findings) {
        context.out << fmt::format("{:<8} {:<25}", to_text(finding.health), finding.check)
                    << finding.text << "\n";
        if (!finding.advice.empty()) {
            context.out << fmt::format("{:<35}what to do: ", "") << finding.advice << "\n";
        }
    }
}

Json findings_json(HostRole role, const std::vector<Finding>& findings, bool is_well) {
    Json checks = Json::array();
    for (const Finding& finding : findings) {
        checks.push_back({{"check", finding.check},
                          {"state", to_text(finding.health)},
                          {"text", finding.text},
                          {"advice", json_text(finding.advice)}});
    }
    return {{"schema", "epochcast.doctor.v1"},
            {"host", short_host_name()},
            {"role", to_text(role)},
            {"is_well", is_well},
            {"checks", checks}};
}

int examine(Context& context, const std::string& role_option) {
    const auto config = load_config(context);
    if (!config) return fail(context, config.error());
    std::string output;
    const int code = run_merged({"scontrol", "show", "config"}, output);
    SlurmSettings slurm = code == 0 ? parse_slurm_settings(output) : SlurmSettings{};
    const HostRole role = role_option == "controller" ? HostRole::controller
                          : role_option == "login"    ? HostRole::login
                          : role_option == "compute"  ? HostRole::compute
                                                      : role_of_this_host(slurm);
    const DoctorCase doctor{
        context, config.value(), std::move(slurm), plugin_dir_of(context.environment.executable)};
    std::vector<Finding> findings = check_host(doctor);
    if (role == HostRole::controller) {
        for (Finding& finding : check_controller(doctor)) findings.push_back(std::move(finding));
    }
    bool is_well = true;
    for (const Finding& finding : findings) is_well = is_well && finding.health != Health::problem;
    if (context.as_json) {
        print_json(context, findings_json(role, findings, is_well));
    } else {
        print_findings(context, role, findings);
    }
    return is_well ? exit_ok : exit_negative;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
    CLI::App* doctor = app.add_subcommand(
        "doctor", "Check that this host and Slurm are set up, and say what to do where not");
    auto role = std::make_shared<std::string>();
    doctor->add_option("--role", *role, "What this host is (default: found out)")
        ->check(CLI::IsMember({"controller", "login", "compute"}));
    doctor->add_flag("--json", context.as_json, "Print JSON");
    doctor->footer(
        "Runs Slurm's commands, submits no job and changes nothing. On the controller run it as "
        "root\nor SlurmUser. Exit code 1: something is wrong.");
    doctor->callback([&context, role] { context.exit_code = examine(context, *role); });
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What `epochcast doctor` looks at: one finding per check, each with what to do where something is
// wrong. The checks run Slurm's own commands as the caller, change nothing and submit no job.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "config/config.hpp"
#include "core/result.hpp"

namespace epochcast {

enum class Health {
    ok,
    problem,
    unknown,  // cannot be seen by this user or from this host
};

struct Finding {
    std::string check;  // "options reach slurmctld"
    Health health = Health::ok;
    std::string text;    // what was found
    std::string advice;  // what to do; empty if it is ok
};

// "Key = value" lines of `scontrol show config`; the last one of a key counts.
using SlurmSettings = std::map<std::string, std::string>;
SlurmSettings parse_slurm_settings(const std::string& text);

// What slurmctld's shim wrote into <StateSaveLocation>/epochcast/state: "key value" lines.
std::map<std::string, std::string> parse_shim_state(const std::string& text);

// The values of a key in a slurm.conf or plugstack.conf text, comments left out; keys in any case.
std::vector<std::string> conf_values(const std::string& text, const std::string& key);

// Everything the checks share.
struct DoctorCase {
    const Context& context;
    const Config& config;
    SlurmSettings slurm;               // empty: slurmctld does not answer
    std::filesystem::path plugin_dir;  // where our plugins lie on this host; empty: nowhere
};

// Runs a command with its error stream merged in, 15 s at most. 124: it took longer.
int run_merged(const std::vector<std::string>& arguments, std::string& output);

// Checks of every host: Slurm answers, versions, PluginDir, SPANK, job_submit.
std::vector<Finding> check_host(const DoctorCase& doctor);
// Checks of the controller: the shim in slurmctld, crashes, its fit to this Slurm, forecast files.
std::vector<Finding> check_controller(const DoctorCase& doctor);

}  // namespace epochcast

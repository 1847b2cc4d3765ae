// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The configuration: /etc/epochcast/epochcast.toml, then $XDG_CONFIG_HOME/epochcast/config.toml,
// then $EPOCHCAST_CONFIG; later files override earlier ones key by key (a class or partition by its
// name). Relative paths count from the folder of the file. Unknown keys and wrong types are errors
// with file and line. Every key is described in epochcast.toml beside this file.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/result.hpp"

namespace epochcast {

// A class as configured: its nodes are still a hostlist ("fast[1-2]").
struct ClassConfig {
    std::string name;
    std::string nodes;          // Slurm hostlist
    double flop_rate = absent;  // FLOP/s; else the value that `epochcast probe` stored
    double price_per_node_hour = absent;
    std::uint32_t cores = 0;
    std::uint64_t memory_bytes = absent_count;
    std::string device;                     // GRES type of its accelerators
    std::uint32_t devices_per_node = 0;     // 0: none
    double price_per_device_hour = absent;  // at most one of the two prices is known
    std::string where;                      // "<file>:<line>" of its nodes, for messages
};

struct Config {
    std::string service = "default";  // base name of the forecast file
    std::filesystem::path log_dir;    // empty: the default of epoch_log/writer.hpp
    std::filesystem::path history_dir = "/var/lib/epochcast/history";
    std::filesystem::path forecast_dir = "/var/lib/epochcast/forecast.d";
    std::filesystem::path decision_dir;  // empty: decisions are not recorded
    std::filesystem::path probe_file = "/var/lib/epochcast/flop_rates.toml";
    std::uint32_t max_age_s = 86400;  // of a forecast file; 0: no limit
    std::string default_policy;       // empty: a job without policy is not steered
    PluginSettings plugins;           // what else the plugins may do
    std::string scope = "user";       // "user" or "cluster": who shares a task's history
    std::vector<ClassConfig> classes;
    std::vector<PartitionRule> partitions;
    std::vector<std::filesystem::path> files;  // that were read, in order
    std::vector<std::string> warnings;         // what could not be used, one sentence each
};

// Reads the files that exist, in this order, then the probed FLOP rates. Errors: bad_input
// "<file>:<line>: ...", environment if a file that exists cannot be read.
Result<Config> read_config(std::span<const std::filesystem::path> files);

// The three places above, with the values of the two variables (empty: unset) filled in.
std::vector<std::filesystem::path> config_places(const std::string& xdg_config_home,
                                                 const std::string& home,
                                                 const std::string& epochcast_config);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The command line of epochcast-train.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast::runtime {

struct CommandLine {
    std::filesystem::path job_file;
    std::vector<std::string> overrides;  // "key=value", in order
    bool dry_run = false;
    bool json = false;
    bool help = false;
    bool version = false;
};

// Errors: usage.
Result<CommandLine> parse_command_line(std::span<const char* const> arguments);

// What --help prints: usage, options, every key of the job file, exit codes.
std::string help_text();

}  // namespace epochcast::runtime

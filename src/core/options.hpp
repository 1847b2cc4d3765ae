// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The options with which a job asks for epochcast, one grammar for every form: `#EPOCHCAST` lines
// of a batch script, --train-* options, EPOCHCAST_TRAIN_* variables, and --comment text. Sources
// are read in order of precedence; an option that is already set is kept.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

inline constexpr std::uint64_t max_epochs = 1'000'000'000;  // above any training; catches 10^12

struct Options {
    std::optional<std::string> task;      // as parse_task_name()
    std::optional<std::uint64_t> epochs;  // 1 to max_epochs
    std::optional<std::string> policy;    // as parse_policy(), or "off"
    bool operator==(const Options&) const = default;
    bool empty() const { return !task && !epochs && !policy; }
};

// One option as users see it. Null-terminated static text.
struct OptionHelp {
    const char* name;      // "task"
    const char* argument;  // "NAME"
    const char* help;      // one line with unit and default
};
std::span<const OptionHelp> option_table();

// Sets one option from its text unless it is set already; the text is checked either way. Unknown
// key or malformed value: a usage error that names the value and what is allowed.
Result<void> set_option(Options& options, std::string_view key, std::string_view value);

// Reads the `#EPOCHCAST key=value ...` lines of a batch script, where sbatch would read #SBATCH
// lines: up to the first line that is neither empty nor a comment. Within the script the last one
// of a repeated key wins. Errors name the line number. A script without such lines changes nothing.
Result<void> read_script(Options& options, std::string_view script);

// Reads "epochcast:key=value;key=value" from a job's comment; a comment without that prefix changes
// nothing.
Result<void> read_comment(Options& options, std::string_view comment);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What every subcommand of `epochcast` is given: where to print, who asks, and the options that
// all share. Commands return the exit code of design.md section 8; they never call exit().

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace epochcast {

using Json = nlohmann::ordered_json;  // keys in the order written

inline constexpr int exit_ok = 0;
inline constexpr int exit_negative = 1;  // "no": nothing found, findings, steering is off

// The outside world as main() found it.
struct Environment {
    std::string xdg_config_home;
    std::string home;
    std::string epochcast_config;
    std::string executable;    // absolute path of this program
    std::uint32_t uid = 0;     // who runs it
    std::int64_t unix_s = 0;   // now, UTC
    bool is_terminal = false;  // the error stream is one: progress may be rewritten in place
};

struct Context {
    std::ostream& out;
    std::ostream& err;
    Environment environment;
    std::optional<std::filesystem::path> config_file;  // --config; none: the three places
    bool as_json = false;                              // --json
    int exit_code = exit_ok;                           // what the command that ran returned
    std::vector<std::string> command = {};             // behind `run ... --`
};

// Prints "epochcast: <message>" to the error stream.
void complain(Context& context, std::string_view message);

// Prints the error and returns its exit code.
int fail(Context& context, const Error& error);

// Prints one JSON document; text that is not UTF-8 is shown with replacement characters.
void print_json(Context& context, const Json& document);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// TOML files as this folder reads them: bounded in size and nesting, every exception of toml11
// turned into an Error with file and line. Only for the sources of src/config.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <toml.hpp>

#include "core/result.hpp"

namespace epochcast {

inline constexpr std::uintmax_t max_toml_bytes = 1u << 20;
inline constexpr int max_toml_nesting =
    32;  // toml11 recurses; the stack holds some thousand levels

// Reads and parses one file. Errors: environment (cannot be read, with the reason), bad_input
// "<file>:<line>: ..." (not TOML, too large, nested too deeply).
Result<toml::value> load_toml(const std::filesystem::path& file);

// A value and where it stands, for messages.
struct TomlEntry {
    std::string file;
    std::string key;
    const toml::value* value = nullptr;

    std::string place() const;  // "<file>:<line>"
};

// bad_input "<place>: <key> = <value> is not allowed: <allowed>".
Error not_allowed(const TomlEntry& entry, std::string_view allowed);

// A string without control characters of at most max_bytes.
Result<std::string> toml_text(const TomlEntry& entry, std::size_t max_bytes = 4096);
// A whole number in [min, max]; max is below 2^63 - 1.
Result<std::uint64_t> toml_count(const TomlEntry& entry, std::uint64_t min, std::uint64_t max);
// true or false.
Result<bool> toml_flag(const TomlEntry& entry);
// A finite number above 0, at most 1e30.
Result<double> toml_positive(const TomlEntry& entry);

// One key of a table and what takes in its value.
struct TomlKey {
    const char* name;
    std::function<Result<void>(const TomlEntry&)> take;
};

// Hands every entry of the table to its key, in the order of lines. A key that is not listed is an
// error with file, line and the keys that are allowed; `inside` names the table ("[[class]]").
Result<void> read_toml_table(const std::string& file,
                             const toml::value& table,
                             std::string_view inside,
                             std::span<const TomlKey> keys);

}  // namespace epochcast

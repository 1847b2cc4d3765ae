// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/toml_document.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "config/toml_versions.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

std::string place_text(const std::string& file, std::size_t line) {
    return file + ":" + std::to_string(line);
}

// Skips the string or comment that starts at `at`; returns the index of its last character, or `at`
// itself where neither starts.
std::size_t skip_inert(std::string_view text, std::size_t at) {
    const char first = text[at];
    if (first == '#') return std::min(text.find('\n', at), text.size()) - 1;
    if (first != '"' && first != '\'') return at;
    const std::string quotes(3, first);
    const bool is_long = text.substr(at, 3) == quotes;
    std::size_t i = at + (is_long ? 3 : 1);
    for (; i < text.size(); ++i) {
        if (first == '"' && text[i] == '\\') {
            ++i;
        } else if (is_long ? text.substr(i, 3) == quotes : text[i] == first || text[i] == '\n') {
            return i + (is_long ? 2 : 0);
        }
    }
    return text.size();
}

// The line where arrays and inline tables are nested too deeply, 0 if none is.
std::size_t line_nested_too_deeply(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end = skip_inert(text, i);
        if (end != i) {
            i = end;
            continue;
        }
        if (text[i] == '[' || text[i] == '{') ++depth;
        if ((text[i] == ']' || text[i] == '}') && depth > 0) --depth;
        if (depth > max_toml_nesting) {
            const auto here = text.begin() + static_cast<std::ptrdiff_t>(i);
            return 1 + static_cast<std::size_t>(std::count(text.begin(), here, '\n'));
        }
    }
    return 0;
}

// The whole file; directories, devices and pipes are refused before they are opened.
Result<std::string> read_whole(const std::filesystem::path& file) {
    std::error_code failure;
    const auto status = std::filesystem::status(file, failure);
    if (failure) {
        return Error{ErrorKind::environment, file.string() + ": " + failure.message()};
    }
    if (!std::filesystem::is_regular_file(status)) {
        return Error{ErrorKind::environment, file.string() + ": is not a regular file"};
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        const std::error_code reason(errno, std::generic_category());
        return Error{ErrorKind::environment,
                     file.string() + ": cannot be read: " + reason.message()};
    }
    std::string text(max_toml_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_toml_bytes) {
        return Error{ErrorKind::bad_input,
                     file.string() + ": is larger than 1 MiB, which no configuration is"};
    }
    return text;
}

// toml11's first line without its "[error] toml::parse_key: " prefix.
std::string first_sentence(std::string_view what) {
    std::string_view line = what.substr(0, what.find('\n'));
    for (const std::string_view prefix : {"[error] ", "toml::"}) {
        if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    }
    const std::size_t colon = line.find(": ");
    const bool names_function =
        colon != line.npos && line.find(' ') > colon && line.find('_') < colon;
    if (names_function) line.remove_prefix(colon + 2);
    return std::string(trimmed(line));
}

// The value as the user wrote it, short.
std::string shown(const toml::value& value) {
    switch (value.type()) {
        case toml::value_t::string:
            return epochcast::quoted(text_of(value));
        case toml::value_t::boolean:
            return value.as_boolean() ? "true" : "false";
        case toml::value_t::integer:
            return std::to_string(value.as_integer());
        case toml::value_t::floating: {
            std::ostringstream text;
            text << value.as_floating();
            return text.str();
        }
        case toml::value_t::array:
            return "[...]";
        case toml::value_t::table:
            return "{...}";
        default:
            return "a date or time";
    }
}

std::string list_of(std::span<const TomlKey> keys) {
    std::string text;
    for (const TomlKey& key : keys) {
        if (!text.empty()) text += ", ";
        text += key.name;
    }
    return text;
}

}  // namespace

Result<toml::value> load_toml(const std::filesystem::path& file) {
    auto text = read_whole(file);
    if (!text) return text.error();
    if (const std::size_t line = line_nested_too_deeply(text.value())) {
        return Error{ErrorKind::bad_input,
                     place_text(file.string(), line) + ": brackets are nested more than " +
                         std::to_string(max_toml_nesting) + " deep"};
    }
    try {
        std::istringstream in(text.value() + "\n");
        return toml::parse(in, file.string());
    } catch (const toml::syntax_error& error) {
        return Error{ErrorKind::bad_input,
                     place_text(file.string(), line_of(error)) +
                         ": is not TOML: " + first_sentence(error.what())};
    } catch (const std::exception& error) {
        return Error{ErrorKind::bad_input,
                     file.string() + ": is not TOML: " + first_sentence(error.what())};
    }
}

std::string TomlEntry::place() const { return place_text(file, line_of(*value)); }

Error not_allowed(const TomlEntry& entry, std::string_view allowed) {
    return Error{ErrorKind::bad_input,
                 entry.place() + ": " + entry.key + " = " + shown(*entry.value) +
                     " is not allowed: give " + std::string(allowed)};
}

Result<std::string> toml_text(const TomlEntry& entry, std::size_t max_bytes) {
    if (!entry.value->is_string()) return not_allowed(entry, "a text in quotes");
    const std::string& text = text_of(*entry.value);
    const auto is_control = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; };
    if (std::ranges::any_of(text, is_control)) {
        return not_allowed(entry, "a text without control characters");
    }
    if (text.size() > max_bytes) {
        return not_allowed(entry, "at most " + std::to_string(max_bytes) + " bytes");
    }
    return text;
}

Result<std::uint64_t> toml_count(const TomlEntry& entry, std::uint64_t min, std::uint64_t max) {
    // toml11 reads a number that does not fit as 2^63 - 1, which is above every max.
    const bool fits = entry.value->is_integer() && entry.value->as_integer() >= 0 &&
                      static_cast<std::uint64_t>(entry.value->as_integer()) >= min &&
                      static_cast<std::uint64_t>(entry.value->as_integer()) <= max;
    if (fits) return static_cast<std::uint64_t>(entry.value->as_integer());
    return not_allowed(entry,
                       "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
}

Result<bool> toml_flag(const TomlEntry& entry) {
    if (entry.value->is_boolean()) return entry.value->as_boolean();
    return not_allowed(entry, "true or false");
}

Result<double> toml_positive(const TomlEntry& entry) {
    double number = 0;
    if (entry.value->is_integer()) number = static_cast<double>(entry.value->as_integer());
    if (entry.value->is_floating()) number = entry.value->as_floating();
    if (number > 0 && number <= 1e30) return number;
    return not_allowed(entry, "a number above 0 (up to 1e30)");
}

Result<void> read_toml_table(const std::string& file,
                             const toml::value& table,
                             std::string_view inside,
                             std::span<const TomlKey> keys) {
    std::vector<TomlEntry> entries;
    for (const auto& [key, value] : table.as_table()) entries.push_back({file, key, &value});
    std::ranges::sort(entries, [](const TomlEntry& a, const TomlEntry& b) {
        const auto line = [](const TomlEntry& entry) { return line_of(*entry.value); };
        return std::make_pair(line(a), a.key) < std::make_pair(line(b), b.key);
    });
    for (const TomlEntry& entry : entries) {
        const auto known =
            std::ranges::find_if(keys, [&](const TomlKey& key) { return entry.key == key.name; });
        if (known == keys.end()) {
            return Error{ErrorKind::bad_input,
                         entry.place() + ": unknown key " + epochcast::quoted(entry.key) + " in " +
                             std::string(inside) + ": allowed are " + list_of(keys)};
        }
        if (auto taken = known->take(entry); !taken) return taken;
    }
    return {};
}

}  // namespace epochcast

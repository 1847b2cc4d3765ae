// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/option_sources.hpp"

#include <algorithm>
#include <vector>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::string_view directive = "#EPOCHCAST";
constexpr std::string_view comment_prefix = "epochcast:";
constexpr std::string_view blanks = " \t\r\v\f";  // what isspace() takes within a line

// More pairs than anybody writes: it bounds the work on a script that was made to cost time.
constexpr std::size_t max_pairs = 256;

// How far behind the first command lines are looked for that stand too late.
constexpr std::size_t max_late_bytes = 1 << 20;

Error usage(std::string message) { return Error{ErrorKind::usage, std::move(message)}; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Reads "key=value" so that a later one replaces an earlier one.
Result<void> replace_pair(Options& options, std::string_view pair) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return usage(quoted(pair) + " is not key=value (without blanks around =); the keys are " +
                     option_names());
    }
    const std::string_view value = pair.substr(equals + 1);
    if (!value.empty() && (value[0] == '"' || value[0] == '\'')) {
        return usage("value " + quoted(value) + ": leave out the quotes; no value has blanks");
    }
    Options one;
    if (auto set = set_option(one, pair.substr(0, equals), value); !set) return set;
    fill_unset(one, options);
    options = std::move(one);
    return {};
}

// Cuts the first word off `text`; empty at the end.
std::string_view next_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

// Cuts the first line off `text`, without its end.
std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// Reads the pairs after `#EPOCHCAST`; a # begins a remark, as in sbatch also within a word. keys:
// those of the script so far.
Result<void> read_pairs(Options& options,
                        std::string_view text,
                        std::vector<std::string_view>& keys,
                        std::string& repeated) {
    text = text.substr(0, text.find('#'));
    for (auto word = next_word(text); !word.empty(); word = next_word(text)) {
        if (keys.size() == max_pairs) {
            return usage("more than " + std::to_string(max_pairs) + " options in one script");
        }
        if (auto read = replace_pair(options, word); !read) return read;
        const std::string_view key = word.substr(0, word.find('='));
        if (std::ranges::find(keys, key) != keys.end()) repeated = key;
        keys.push_back(key);
    }
    return {};
}

bool is_directive(std::string_view line) {
    return line.starts_with(directive) &&
           (line.size() == directive.size() ||
            blanks.find(line[directive.size()]) != std::string_view::npos);
}

// sbatch stops reading directives at such a line.
bool is_command(std::string_view line) {
    const std::size_t first = line.find_first_not_of(blanks);
    return first != std::string_view::npos && line[first] != '#';
}

// Where sbatch begins the next component of a heterogeneous job.
bool is_separator(std::string_view line) {
    for (const std::string_view magic : {"#SBATCH", "#SLURM"}) {
        if (!line.starts_with(magic)) continue;
        line.remove_prefix(magic.size());
        std::string word(next_word(line).substr(0, 8));
        std::ranges::transform(word, word.begin(), lower);
        return word == "hetjob" || word == "packjob";
    }
    return false;
}

// Counts directives in what follows the first command.
std::size_t count_late(std::string_view script) {
    script = script.substr(0, max_late_bytes);
    std::size_t count = 0;
    while (!script.empty()) {
        const std::string_view line = next_line(script);
        if (line.find("<<") != line.npos) break;
        if (is_directive(line)) ++count;
    }
    return count;
}

}  // namespace

Result<ScriptNotes> read_script(Options& options,
                                std::string_view script,
                                std::uint32_t component) {
    Options found;
    ScriptNotes notes;
    std::vector<std::string_view> keys;
    std::uint32_t at_component = 0;
    for (std::size_t number = 1; !script.empty(); ++number) {
        const std::string_view rest = script;
        const std::string_view line = next_line(script);
        if (is_command(line)) {
            notes.late_lines = count_late(rest);
            notes.command_line = number;
            break;
        }
        if (is_separator(line)) ++at_component;
        if (at_component != component || !is_directive(line)) continue;
        if (auto read = read_pairs(found, line.substr(directive.size()), keys, notes.repeated);
            !read) {
            return usage("line " + std::to_string(number) +
                         " of the script: " + read.error().message);
        }
    }
    fill_unset(options, found);
    return notes;
}

Result<void> read_comment(Options& options, std::string_view comment) {
    comment = trimmed(comment);
    if (!comment.starts_with(comment_prefix)) return {};
    comment.remove_prefix(comment_prefix.size());
    Options found;
    std::size_t pairs = 0;
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find(';'), comment.size());
        const std::string_view pair = trimmed(comment.substr(0, end));
        comment.remove_prefix(std::min(end + 1, comment.size()));
        if (pair.empty()) continue;
        if (++pairs > max_pairs) {
            return usage("more than " + std::to_string(max_pairs) + " options in the comment");
        }
        if (auto read = replace_pair(found, pair); !read) {
            return usage("in the comment: " + read.error().message);
        }
    }
    fill_unset(options, found);
    return {};
}

std::string job_entry(const Options& options, std::size_t row) {
    const std::string value = option_text(options, row);
    if (value.empty()) return {};
    std::string entry(job_entry_prefix);
    for (const char* c = option_table()[row].name; *c != '\0'; ++c) entry += upper(*c);
    return entry + "=" + value;
}

Result<bool> read_job_entry(Options& options, std::string_view entry) {
    if (!entry.starts_with(job_entry_prefix)) return false;
    entry.remove_prefix(job_entry_prefix.size());
    const std::size_t equals = entry.find('=');
    char name[16];
    if (equals == entry.npos || equals > sizeof name) return false;
    std::ranges::transform(entry.substr(0, equals), name, lower);
    const std::string_view key(name, equals);
    if (std::ranges::find(option_table(), key, &OptionHelp::name) == option_table().end()) {
        return false;
    }
    if (const auto set = set_option(options, key, entry.substr(equals + 1)); !set) {
        return set.error();
    }
    return true;
}

}  // namespace epochcast

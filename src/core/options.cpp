// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/options.hpp"

#include <algorithm>
#include <array>

#include "core/task.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::string_view directive = "#EPOCHCAST";
constexpr std::string_view comment_prefix = "epochcast:";
constexpr std::string_view blanks = " \t\r\v\f";  // what isspace() takes within a line

// More pairs than anybody writes: it bounds the work on a script that was made to cost time.
constexpr std::size_t max_pairs = 256;

// Kept short enough for a line of `squeue`; a mix with full digits has 90.
constexpr std::size_t max_policy_bytes = 120;

constexpr std::array<OptionHelp, 3> table{{
    {"task",
     "NAME",
     "name of the training task, which its history is kept under: 1 to 128 of the characters "
     "A-Z a-z 0-9 . _ + / @ - (default: none, the job is left alone)"},
    {"epochs", "N", "epochs that this job trains, 1 to 1000000000 (default: not stated)"},
    {"policy",
     "POLICY",
     "what to choose nodes by: cost, time, throughput, a mix such as cost=0.7,time=0.3, or off "
     "(default: the site's default_policy; where there is none, nodes are not chosen)"},
}};

Error usage(std::string message) { return Error{ErrorKind::usage, std::move(message)}; }

std::string known_keys() {
    std::string keys;
    for (const OptionHelp& option : table) {
        if (!keys.empty()) keys += ", ";
        keys += option.name;
    }
    return keys;
}

Result<void> set_policy(Options& options, std::string_view value) {
    if (value.size() > max_policy_bytes) {
        return usage("policy " + quoted(value) + " is not allowed: give at most " +
                     std::to_string(max_policy_bytes) + " bytes");
    }
    if (value != "off") {
        const auto policy = parse_policy(value);
        if (!policy) return usage(policy.error().message + ", or off");
    }
    if (!options.policy) options.policy = std::string(value);
    return {};
}

// Reads "key=value" so that a later one replaces an earlier one.
Result<void> replace_pair(Options& options, std::string_view pair) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return usage(quoted(pair) + " is not key=value (without blanks around =); the keys are " +
                     known_keys());
    }
    const std::string_view value = pair.substr(equals + 1);
    if (!value.empty() && (value[0] == '"' || value[0] == '\'')) {
        return usage("value " + quoted(value) + ": leave out the quotes; no value has blanks");
    }
    Options one;
    if (auto set = set_option(one, pair.substr(0, equals), value); !set) return set;
    if (one.task) options.task = std::move(one.task);
    if (one.epochs) options.epochs = one.epochs;
    if (one.policy) options.policy = std::move(one.policy);
    return {};
}

void fill_unset(Options& options, Options other) {
    if (!options.task) options.task = std::move(other.task);
    if (!options.epochs) options.epochs = other.epochs;
    if (!options.policy) options.policy = std::move(other.policy);
}

// Cuts the first word off `text`; empty at the end.
std::string_view next_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

// Reads the pairs after `#EPOCHCAST`; a word that begins with # makes the rest a remark.
Result<void> read_pairs(Options& options, std::string_view text, std::size_t& pairs) {
    for (auto word = next_word(text); !word.empty() && word[0] != '#'; word = next_word(text)) {
        if (++pairs > max_pairs) {
            return usage("more than " + std::to_string(max_pairs) + " options in one script");
        }
        if (auto read = replace_pair(options, word); !read) return read;
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

}  // namespace

std::span<const OptionHelp> option_table() { return table; }

Result<void> set_option(Options& options, std::string_view key, std::string_view value) {
    if (key == "task") {
        auto name = parse_task_name(value);
        if (!name) return name.error();
        if (!options.task) options.task = std::move(name).value();
        return {};
    }
    if (key == "epochs") {
        const auto epochs = parse_count("epochs", value, 1, max_epochs);
        if (!epochs) return epochs.error();
        if (!options.epochs) options.epochs = epochs.value();
        return {};
    }
    if (key == "policy") return set_policy(options, value);
    return usage("option " + quoted(key) + " is not known: give " + known_keys());
}

Result<void> read_script(Options& options, std::string_view script) {
    Options found;
    std::size_t pairs = 0;
    for (std::size_t number = 1; !script.empty(); ++number) {
        const std::size_t end = std::min(script.find('\n'), script.size());
        const std::string_view line = script.substr(0, end);
        script.remove_prefix(std::min(end + 1, script.size()));
        if (is_command(line)) break;
        if (!is_directive(line)) continue;
        if (auto read = read_pairs(found, line.substr(directive.size()), pairs); !read) {
            return usage("line " + std::to_string(number) +
                         " of the script: " + read.error().message);
        }
    }
    fill_unset(options, std::move(found));
    return {};
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
    fill_unset(options, std::move(found));
    return {};
}

}  // namespace epochcast

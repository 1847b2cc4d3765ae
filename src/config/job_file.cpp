// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/job_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "config/job_keys.hpp"
#include "config/toml_document.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

using Form = JobKeyForm;

constexpr std::uint32_t default_micro_batch = 16;

std::string real_text(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

// The value as text for its rule. Errors: bad_input, another type.
Result<std::string> text_of(const TomlEntry& entry, Form form) {
    const toml::value& value = *entry.value;
    switch (form) {
        case Form::text:
            return toml_text(entry, 8192);
        case Form::whole:
            if (value.is_integer()) {
                return std::to_string(value.as_integer());
            }
            return not_allowed(entry, "a whole number");
        case Form::real:
            if (value.is_integer()) {
                return std::to_string(value.as_integer());
            }
            if (value.is_floating()) {
                return real_text(value.as_floating());
            }
            return not_allowed(entry, "a number");
        case Form::flag:
            if (value.is_boolean()) {
                return std::string(value.as_boolean() ? "true" : "false");
            }
            return not_allowed(entry, "true or false");
    }
    return not_allowed(entry, "another type");
}

// A job in the making, and where each key that was given stands.
struct Draft {
    TrainJob job;
    std::map<std::string, std::string, std::less<>> places;

    Result<void> take(const TomlEntry& entry) {
        const JobKeyRule& rule = *job_key_rule(entry.key);
        const auto text = text_of(entry, rule.form);
        if (!text.ok()) {
            return text.error();
        }
        const auto set = rule.set(job, entry.key, text.value());
        if (!set.ok()) {
            return Error{ErrorKind::bad_input, entry.place() + ": " + set.error().message};
        }
        places[entry.key] = entry.place();
        return {};
    }

    Result<void> take_override(const std::string& text) {
        const auto equals = text.find('=');
        const std::string key = text.substr(0, equals);
        const JobKeyRule* const rule = job_key_rule(key);
        if (equals == std::string::npos || rule == nullptr) {
            return Error{ErrorKind::usage,
                         "--set " + epochcast::quoted(text) +
                             " is not key=value with one of the keys " + known_job_keys()};
        }
        const auto set = rule->set(job, key, std::string_view(text).substr(equals + 1));
        if (!set.ok()) {
            return Error{ErrorKind::usage, "--set: " + set.error().message};
        }
        places[key] = "--set";
        return {};
    }
};

// The one [[job]] of the document.
Result<const toml::value*> only_job(const std::string& file, const toml::value& document) {
    const toml::value* jobs = nullptr;
    const TomlKey keys[] = {{"job", [&](const TomlEntry& entry) -> Result<void> {
                                 if (!entry.value->is_array()) {
                                     return not_allowed(entry, "[[job]], a list of tables");
                                 }
                                 jobs = entry.value;
                                 return {};
                             }}};
    auto read = read_toml_table(file, document, "the top level (keys belong below [[job]])", keys);
    if (!read.ok()) {
        return read.error();
    }
    if (jobs == nullptr || jobs->as_array().empty()) {
        return Error{ErrorKind::bad_input,
                     file + ": has no [[job]]; a smallest job file is:  [[job]]  task = \"name\""};
    }
    const auto& list = jobs->as_array();
    const TomlEntry last{file, "job", &list.back()};
    if (list.size() > 1) {
        return Error{ErrorKind::bad_input,
                     last.place() + ": this is [[job]] number " + std::to_string(list.size()) +
                         "; only one per job file is supported so far"};
    }
    if (!list.front().is_table()) {
        return not_allowed(last, "a table: [[job]]");
    }
    return &list.front();
}

Result<void> read_keys(Draft& draft, const std::string& file, const toml::value& table_value) {
    std::vector<TomlKey> keys;
    for (const JobKeyHelp& key : job_key_table()) {
        keys.push_back({key.name, [&](const TomlEntry& entry) { return draft.take(entry); }});
    }
    return read_toml_table(file, table_value, "[[job]]", keys);
}

Result<void> check_together(Draft& draft, const std::string& file) {
    TrainJob& job = draft.job;
    if (job.task.empty()) {
        return Error{ErrorKind::bad_input,
                     file +
                         ": task is missing: add task = \"name\" below [[job]], or give --set "
                         "task=name"};
    }
    const auto micro_batch = draft.places.find("micro_batch");
    if (micro_batch == draft.places.end()) {
        job.micro_batch = std::min(default_micro_batch, job.batch);
    } else if (job.micro_batch > job.batch) {
        const bool is_override = micro_batch->second == "--set";
        return Error{is_override ? ErrorKind::usage : ErrorKind::bad_input,
                     micro_batch->second + ": micro_batch " + std::to_string(job.micro_batch) +
                         " is not allowed: give at most batch, which is " +
                         std::to_string(job.batch)};
    }
    return {};
}

}  // namespace

Result<TrainJob> read_job_file(const std::filesystem::path& file,
                               std::span<const std::string> overrides) {
    const auto document = load_toml(file);
    if (!document.ok()) {
        return document.error();
    }
    const auto table_value = only_job(file.string(), document.value());
    if (!table_value.ok()) {
        return table_value.error();
    }
    Draft draft;
    if (auto read = read_keys(draft, file.string(), *table_value.value()); !read.ok()) {
        return read.error();
    }
    for (const std::string& text : overrides) {
        if (auto taken = draft.take_override(text); !taken.ok()) {
            return taken.error();
        }
    }
    if (auto checked = check_together(draft, file.string()); !checked.ok()) {
        return checked.error();
    }
    return std::move(draft.job);
}

}  // namespace epochcast

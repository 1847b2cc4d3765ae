// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/task.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

// Kept short enough for a line of `squeue`; a mix with full digits has 90.
constexpr std::size_t max_policy_bytes = 120;

Error usage(std::string message) { return Error{ErrorKind::usage, std::move(message)}; }

Error not_allowed(const char* what, std::string_view value, const std::string& allowed) {
    return usage(what + (" " + quoted(value)) + " is not allowed: give " + allowed);
}

Result<std::string> parse_policy_text(std::string_view value) {
    if (value.size() > max_policy_bytes) {
        return not_allowed(
            "policy", value, "at most " + std::to_string(max_policy_bytes) + " bytes");
    }
    if (value != "off") {
        const auto policy = parse_policy(value);
        if (!policy) return usage(policy.error().message + ", or off");
    }
    return std::string(value);
}

// Names of frameworks, models and data sets: what a task's name may have, and the colon of
// "family/model:size".
Result<std::string> parse_label(const char* what, std::string_view value) {
    std::string plain(value);
    std::ranges::replace(plain, ':', '-');
    if (parse_task_name(plain)) return std::string(value);
    return not_allowed(what, value, "1 to 128 of the characters A-Z a-z 0-9 . _ + / @ : -");
}

Result<GpuRange> parse_gpus(std::string_view value) {
    const std::size_t dash = value.find('-');
    const auto least = parse_count("gpus", value.substr(0, dash), 1, max_gpus);
    const auto most =
        dash == value.npos ? least : parse_count("gpus", value.substr(dash + 1), 1, max_gpus);
    if (!least || !most || least.value() > most.value()) {
        return not_allowed("gpus",
                           value,
                           "a number from 1 to " + std::to_string(max_gpus) +
                               ", or a range such as 1-8, of devices per node");
    }
    return GpuRange{static_cast<std::uint32_t>(least.value()),
                    static_cast<std::uint32_t>(most.value())};
}

Result<Deadline> parse_moment(std::string_view value) {
    auto deadline = parse_deadline(value);
    constexpr std::int64_t year_10000 = 253'402'300'800;  // such moments only zones can write
    if (deadline && (deadline.value().seconds <= 0 || deadline.value().seconds >= year_10000)) {
        return not_allowed("deadline", value, "a moment from 1970 to 9999");
    }
    return deadline;
}

Result<std::string> parse_log(std::string_view value) {
    const auto controls = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (value.starts_with('/') && value.size() <= max_log_bytes &&
        std::ranges::none_of(value, controls)) {
        return std::string(value);
    }
    return not_allowed("log",
                       value,
                       "an absolute path of at most " + std::to_string(max_log_bytes) +
                           " bytes without control characters");
}

Result<PlacementWish> parse_placement(std::string_view value) {
    if (value == "prefer") return PlacementWish::prefer;
    if (value == "require") return PlacementWish::require;
    return not_allowed("placement", value, "prefer or require");
}

const std::string& text_of(const std::string& value) { return value; }
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(const Deadline& value) { return to_text(value); }

std::string text_of(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string text_of(const GpuRange& value) {
    std::string text = std::to_string(value.least);
    if (value.most != value.least) text += "-" + std::to_string(value.most);
    return text;
}

std::string text_of(PlacementWish value) {
    return value == PlacementWish::prefer ? "prefer" : "require";
}

// What can be done with one option without knowing which.
struct Handling {
    Result<void> (*set)(Options&, std::string_view value);
    std::string (*text)(const Options&);
    void (*fill_unset)(Options&, const Options& other);
};

// For a member of Options, whose text `parse` reads.
template <auto member, auto parse>
constexpr Handling handling() {
    return {[](Options& options, std::string_view value) -> Result<void> {
                auto parsed = parse(value);
                if (!parsed) return parsed.error();
                if (!(options.*member)) options.*member = std::move(parsed).value();
                return {};
            },
            [](const Options& options) -> std::string {
                return options.*member ? text_of(*(options.*member)) : std::string();
            },
            [](Options& options, const Options& other) {
                if (!(options.*member)) options.*member = other.*member;
            }};
}

constexpr auto parse_epochs = [](std::string_view v) {
    return parse_count("epochs", v, 1, max_epochs);
};
constexpr auto parse_batch = [](std::string_view v) {
    return parse_count("batch", v, 1, max_batch_samples);
};
constexpr auto parse_samples = [](std::string_view v) {
    return parse_count("samples", v, 1, max_epoch_samples);
};
constexpr auto parse_framework = [](std::string_view v) { return parse_label("framework", v); };
constexpr auto parse_model = [](std::string_view v) { return parse_label("model", v); };
constexpr auto parse_data = [](std::string_view v) { return parse_label("data", v); };

constexpr std::size_t option_count = 13;

constexpr std::array<OptionHelp, option_count> table{{
    {"task",
     "NAME",
     "name of the training task, which its history is kept under: 1 to 128 of the characters "
     "A-Z a-z 0-9 . _ + / @ - (default: none, the job is left alone)"},
    {"epochs", "N", "epochs that this job trains, 1 to 1000000000 (default: not stated)"},
    {"policy",
     "POLICY",
     "what to choose nodes by: cost, time, throughput, a mix such as cost=0.7,time=0.3, or off "
     "(default: the site's default_policy; where there is none, nodes are not chosen)"},
    {"framework",
     "NAME",
     "framework that trains, such as pytorch (default: that of the task's newest record)"},
    {"model", "NAME", "model that is trained (default: that of the task's newest record)"},
    {"data", "NAME", "data set that is trained on (default: that of the task's newest record)"},
    {"batch",
     "N",
     "samples per optimiser step of the whole job, 1 to 1000000000 (default: that of the task's "
     "newest record)"},
    {"samples", "N", "samples per epoch, 1 to 10^15 (default: those of the task's newest record)"},
    {"gpus",
     "N|MIN-MAX",
     "GPUs per node that the training can use, 1 to 4096; of a range the best count is chosen "
     "(default: what Slurm's own options ask for)"},
    {"deadline",
     "TIME",
     "when the job must have ended: +8h, +30m, +1d12h from submission, or a moment such as "
     "2026-08-07T18:00:00Z; classes that miss it come last (default: none)"},
    {"budget",
     "MONEY",
     "what the whole job may cost, in the site's money, such as 12.50; dearer classes come last "
     "(default: none)"},
    {"log",
     "PATH",
     "folder for the epoch logs of this job, an absolute path of at most 1023 bytes (default: "
     "$EPOCHCAST_LOG_DIR, else epochcast-logs where the job was submitted)"},
    {"placement",
     "prefer|require",
     "prefer: take other nodes rather than wait for the best class; require: wait for it "
     "(default: prefer)"},
}};

// In the order of the table.
constexpr std::array<Handling, option_count> handlings{{
    handling<&Options::task, parse_task_name>(),
    handling<&Options::epochs, parse_epochs>(),
    handling<&Options::policy, parse_policy_text>(),
    handling<&Options::framework, parse_framework>(),
    handling<&Options::model, parse_model>(),
    handling<&Options::data, parse_data>(),
    handling<&Options::batch, parse_batch>(),
    handling<&Options::samples, parse_samples>(),
    handling<&Options::gpus, parse_gpus>(),
    handling<&Options::deadline, parse_moment>(),
    handling<&Options::budget, parse_budget>(),
    handling<&Options::log, parse_log>(),
    handling<&Options::placement, parse_placement>(),
}};

}  // namespace

std::span<const OptionHelp> option_table() { return table; }

const std::string& option_names() {
    static const std::string names = [] {
        std::string text;
        for (const OptionHelp& option : table)
            text += (text.empty() ? "" : ", ") + std::string(option.name);
        return text;
    }();
    return names;
}

Result<void> set_option(Options& options, std::string_view key, std::string_view value) {
    const auto row = std::ranges::find(
        table, key, [](const OptionHelp& option) { return std::string_view(option.name); });
    if (row != table.end()) {
        return handlings[static_cast<std::size_t>(row - table.begin())].set(options, value);
    }
    return usage("option " + quoted(key) + " is not known: give " + option_names());
}

std::string option_text(const Options& options, std::size_t row) {
    return handlings[row].text(options);
}

void fill_unset(Options& options, const Options& other) {
    for (const Handling& option : handlings) option.fill_unset(options, other);
}

}  // namespace epochcast

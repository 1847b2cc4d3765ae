// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Options as C knows them: fixed buffers, nothing to free.

#include "core/options.hpp"

#include <string>
#include <vector>

#include "core/option_sources.hpp"
#include "decide/c_face.hpp"
#include "decide/epochcast_decide.h"

namespace {

using epochcast::copy_text;
using epochcast::Deadline;
using epochcast::GpuRange;
using epochcast::guarded;
using epochcast::Options;
using epochcast::PlacementWish;
using epochcast::Result;
using epochcast::text_in;
using epochcast::text_or_empty;

// Every option beside its field in C: visit(member of Options, field...).
template <class From, class To, class Visit>
void for_each_option(From& options, To& c, Visit visit) {
    visit(options.task, c.task);
    visit(options.policy, c.policy);
    visit(options.epochs, c.epochs);
    visit(options.framework, c.framework);
    visit(options.model, c.model);
    visit(options.data, c.data);
    visit(options.batch, c.batch);
    visit(options.samples, c.samples);
    visit(options.gpus, c.least_gpus, c.most_gpus);
    visit(options.deadline, c.deadline_unix_s, c.deadline_after_s);
    visit(options.budget, c.budget);
    visit(options.log, c.log);
    visit(options.placement, c.placement);
}

struct ToC {
    template <std::size_t size>
    void operator()(const std::optional<std::string>& from, char (&to)[size]) const {
        copy_text(to, size, from ? std::string_view(*from) : std::string_view());
    }
    template <class Number>
    void operator()(const std::optional<Number>& from, Number& to) const {
        to = from.value_or(0);
    }
    void operator()(const std::optional<GpuRange>& from, uint32_t& least, uint32_t& most) const {
        least = from ? from->least : 0;
        most = from ? from->most : 0;
    }
    void operator()(const std::optional<Deadline>& from, int64_t& at, int64_t& after) const {
        at = from && !from->is_relative ? from->seconds : 0;
        after = from && from->is_relative ? from->seconds : 0;
    }
    void operator()(const std::optional<PlacementWish>& from, int& to) const {
        to = !from                            ? EPOCHCAST_PLACEMENT_NONE
             : *from == PlacementWish::prefer ? EPOCHCAST_PLACEMENT_PREFER
                                              : EPOCHCAST_PLACEMENT_REQUIRE;
    }
};

struct FromC {
    template <std::size_t size>
    void operator()(std::optional<std::string>& to, const char (&from)[size]) const {
        if (from[0] != '\0') to = text_in(from);
    }
    template <class Number>
    void operator()(std::optional<Number>& to, const Number& from) const {
        if (from > 0) to = from;
    }
    void operator()(std::optional<GpuRange>& to,
                    const uint32_t& least,
                    const uint32_t& most) const {
        if (most > 0) to = GpuRange{least, most};
    }
    void operator()(std::optional<Deadline>& to, const int64_t& at, const int64_t& after) const {
        if (at > 0) to = Deadline{false, at};
        if (after > 0) to = Deadline{true, after};
    }
    void operator()(std::optional<PlacementWish>& to, const int& from) const {
        if (from == EPOCHCAST_PLACEMENT_PREFER) to = PlacementWish::prefer;
        if (from == EPOCHCAST_PLACEMENT_REQUIRE) to = PlacementWish::require;
    }
};

Options from_c(const epochcast_options_t& options) {
    Options result;
    for_each_option(result, options, FromC());
    return result;
}

// Runs read(Options&), a Result<std::string> with a warning, on a copy and stores it only if all
// went well.
template <class Read>
int change(epochcast_options_t* options, char* message, size_t message_size, Read read) noexcept {
    copy_text(message, message_size, "out of memory");
    if (options == nullptr) return -1;
    return guarded(-1, [&] {
        Options changed = from_c(*options);
        const Result<std::string> warning = read(changed);
        if (!warning) {
            copy_text(message, message_size, warning.error().message);
            return -1;
        }
        for_each_option(changed, *options, ToC());
        copy_text(message, message_size, warning.value());
        return 0;
    });
}

Result<std::string> no_warning(const Result<void>& result) {
    if (!result) return result.error();
    return std::string();
}

Result<std::string> read_with_warning(Options& options,
                                      std::string_view script,
                                      uint32_t component) {
    const auto read = epochcast::read_script(options, script, component);
    if (!read) return read.error();
    const epochcast::ScriptNotes& notes = read.value();
    std::string warning;
    if (!notes.repeated.empty()) {
        warning = "the script gives " + notes.repeated + " more than once: the last one counts";
    }
    if (notes.late_lines > 0) {
        warning += (warning.empty() ? "" : "; ") + std::to_string(notes.late_lines) +
                   (notes.late_lines == 1 ? " #EPOCHCAST line" : " #EPOCHCAST lines") +
                   " ignored after line " + std::to_string(notes.command_line) +
                   ", the first command: sbatch reads none behind it either";
    }
    return warning;
}

}  // namespace

extern "C" {

const epochcast_option_help_t* epochcast_option_table(void) {
    static const auto table = guarded(std::vector<epochcast_option_help_t>(), [] {
        std::vector<epochcast_option_help_t> rows;
        for (const epochcast::OptionHelp& option : epochcast::option_table()) {
            rows.push_back({option.name, option.argument, option.help});
        }
        rows.push_back({nullptr, nullptr, nullptr});
        return rows;
    });
    static const epochcast_option_help_t nothing{nullptr, nullptr, nullptr};
    return table.empty() ? &nothing : table.data();
}

int epochcast_options_set(epochcast_options_t* options,
                          const char* key,
                          const char* value,
                          char* message,
                          size_t message_size) {
    return change(options, message, message_size, [&](Options& changed) {
        return no_warning(epochcast::set_option(changed, text_or_empty(key), text_or_empty(value)));
    });
}

int epochcast_options_read_script(epochcast_options_t* options,
                                  const char* script,
                                  uint32_t component,
                                  char* message,
                                  size_t message_size) {
    return change(options, message, message_size, [&](Options& changed) {
        return read_with_warning(changed, text_or_empty(script), component);
    });
}

int epochcast_options_read_comment(epochcast_options_t* options,
                                   const char* comment,
                                   char* message,
                                   size_t message_size) {
    return change(options, message, message_size, [&](Options& changed) {
        return no_warning(epochcast::read_comment(changed, text_or_empty(comment)));
    });
}

void epochcast_options_fill_unset(epochcast_options_t* options, const epochcast_options_t* other) {
    if (options == nullptr || other == nullptr) return;
    guarded(0, [&] {
        Options filled = from_c(*options);
        epochcast::fill_unset(filled, from_c(*other));
        for_each_option(filled, *options, ToC());
        return 0;
    });
}

int epochcast_options_empty(const epochcast_options_t* options) {
    return guarded(1, [&] { return options == nullptr || from_c(*options).empty() ? 1 : 0; });
}

int epochcast_options_job_entry(const epochcast_options_t* options,
                                uint32_t row,
                                char* entry,
                                size_t entry_size) {
    copy_text(entry, entry_size, "");
    if (options == nullptr || row >= epochcast::option_table().size()) return -1;
    return guarded(-1, [&] {
        const std::string text = epochcast::job_entry(from_c(*options), row);
        copy_text(entry, entry_size, text);
        return text.empty() ? 0 : 1;
    });
}

int epochcast_options_read_job_env(epochcast_options_t* options, char* const* env, uint32_t size) {
    if (options == nullptr) return -1;
    *options = {};
    return guarded(-1, [&] {
        Options found;
        bool any = false;
        for (uint32_t i = 0; env != nullptr && i < size; ++i) {
            std::string_view entry = text_or_empty(env[i]);
            if (entry.starts_with("SPANK_")) entry.remove_prefix(6);
            const auto read = epochcast::read_job_entry(found, entry);
            if (!read) return -1;
            any |= read.value();
        }
        for_each_option(found, *options, ToC());
        return any ? 1 : 0;
    });
}

}  // extern "C"

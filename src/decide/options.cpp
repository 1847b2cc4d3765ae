// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/options.hpp"

#include <vector>

#include "decide/c_face.hpp"
#include "decide/epochcast_decide.h"

namespace {

using epochcast::copy_text;
using epochcast::guarded;
using epochcast::Options;
using epochcast::Result;
using epochcast::text_in;
using epochcast::text_or_empty;

Options from_c(const epochcast_options_t& options) {
    Options result;
    if (!text_in(options.task).empty()) result.task = text_in(options.task);
    if (!text_in(options.policy).empty()) result.policy = text_in(options.policy);
    if (options.epochs != 0) result.epochs = options.epochs;
    return result;
}

void to_c(const Options& from, epochcast_options_t& to) {
    copy_text(to.task, sizeof to.task, from.task.value_or(""));
    copy_text(to.policy, sizeof to.policy, from.policy.value_or(""));
    to.epochs = from.epochs.value_or(0);
}

// Runs read(Options&) on a copy and stores it only if all went well.
template <class Read>
int change(epochcast_options_t* options, char* message, size_t message_size, Read read) noexcept {
    copy_text(message, message_size, "");
    if (options == nullptr) return -1;
    const int failed = guarded(-2, [&] {
        Options changed = from_c(*options);
        const Result<void> result = read(changed);
        if (result) {
            to_c(changed, *options);
            return 0;
        }
        copy_text(message, message_size, result.error().message);
        return -1;
    });
    if (failed != -2) return failed;
    copy_text(message, message_size, "out of memory");
    return -1;
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
        return epochcast::set_option(changed, text_or_empty(key), text_or_empty(value));
    });
}

int epochcast_options_read_script(epochcast_options_t* options,
                                  const char* script,
                                  char* message,
                                  size_t message_size) {
    return change(options, message, message_size, [&](Options& changed) {
        return epochcast::read_script(changed, text_or_empty(script));
    });
}

int epochcast_options_read_comment(epochcast_options_t* options,
                                   const char* comment,
                                   char* message,
                                   size_t message_size) {
    return change(options, message, message_size, [&](Options& changed) {
        return epochcast::read_comment(changed, text_or_empty(comment));
    });
}

int epochcast_options_empty(const epochcast_options_t* options) {
    return options == nullptr ||
           (options->task[0] == '\0' && options->policy[0] == '\0' && options->epochs == 0);
}

}  // extern "C"

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/option_sources.hpp"

#include <cstdarg>
#include <string>

#include "job_submit/entries.hpp"

namespace epochcast::slurm {

namespace {

// What Slurm makes of --train-task of a SPANK plugin named epochcast: everything that is neither a
// letter nor a digit becomes '_'.
constexpr const char* spank_prefix = "_SLURM_SPANK_OPTION_epochcast_train_";
constexpr const char* variable_prefix = "EPOCHCAST_TRAIN_";

// The key of "KEY=value" in lower case; false if it is too long for one of ours.
template <std::size_t Size>
bool read_key(char (&key)[Size], const char* text, const char* equals) {
    const auto length = static_cast<std::size_t>(equals - text);
    if (length == 0 || length >= Size) return false;
    for (std::size_t i = 0; i < length; ++i)
        key[i] =
            text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    key[length] = '\0';
    return true;
}

// Takes the entries "<prefix>KEY=value". An empty value means: not given. Entries with keys that we
// do not know are refused like everywhere else, so that a slip of the pen does not pass unseen.
bool read_entries(epochcast_options_t& options,
                  const char* prefix,
                  char* const* env,
                  uint32_t size,
                  Message& message) {
    for (uint32_t i = 0; env && i < size; ++i) {
        const char* text = value_after(env[i], prefix);
        const char* equals = text ? std::strchr(text, '=') : nullptr;
        if (!equals || !equals[1]) continue;
        char key[64];
        if (!read_key(key, text, equals))
            return message.refuse("variable '%.40s...' is no option of epochcast", env[i]);
        if (epochcast_options_set(&options, key, equals + 1, message.text, sizeof message.text) !=
            0)
            return false;
    }
    return true;
}

// The script of the heterogeneous job whose components this thread is reading. Slurm reads all of
// them in one go, so what is left over belongs to nobody.
struct ScriptInHand {
    std::string text;
    uint32_t uid = 0;
    uint32_t next_component = 0;
};
thread_local ScriptInHand in_hand;

// The script that holds the options of this component. Not more than the header of any real script
// is kept.
const char* script_of(const job_desc_msg_t& job) {
    constexpr std::size_t max_kept = 1 << 20;
    if (job.het_job_offset == NO_VAL || job.het_job_offset == 0) {
        in_hand = {};
        if (job.het_job_offset == 0 && job.script)
            in_hand = {std::string(job.script, strnlen(job.script, max_kept)), job.user_id, 1};
        return job.script;
    }
    if (job.script) return job.script;
    const bool follows = in_hand.next_component == job.het_job_offset && in_hand.uid == job.user_id;
    if (!follows) return nullptr;
    ++in_hand.next_component;
    return in_hand.text.c_str();
}

}  // namespace

bool Message::refuse(const char* format, ...) {
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    // What users wrote is shown to them, and stands in a log that others read.
    for (char* c = text; *c; ++c)
        if (static_cast<unsigned char>(*c) < 0x20 || *c == 0x7F) *c = '?';
    return false;
}

bool read_sources(epochcast_options_t& options, const job_desc_msg_t& job, Message& message) {
    std::memset(&options, 0, sizeof options);
    const char* script = script_of(job);
    const uint32_t component = job.het_job_offset == NO_VAL ? 0 : job.het_job_offset;
    // salloc and srun send no environment; there the SPANK plugin puts the variables beside its
    // options.
    if (!read_entries(options, spank_prefix, job.spank_job_env, job.spank_job_env_size, message) ||
        !read_entries(options, variable_prefix, job.environment, job.env_size, message) ||
        !read_entries(options, variable_prefix, job.spank_job_env, job.spank_job_env_size, message))
        return false;
    Message warning;
    if (epochcast_options_read_script(
            &options, script, component, warning.text, sizeof warning.text) != 0) {
        message = warning;
        return false;
    }
    if (epochcast_options_read_comment(&options, job.comment, message.text, sizeof message.text) !=
        0)
        return false;
    if (component == 0) message = warning;
    return true;
}

bool read_changes(epochcast_options_t& options,
                  const char* comment,
                  const epochcast_options_t& before,
                  Message& message) {
    std::memset(&options, 0, sizeof options);
    if (epochcast_options_read_comment(&options, comment, message.text, sizeof message.text) != 0)
        return false;
    epochcast_options_fill_unset(&options, &before);
    return true;
}

}  // namespace epochcast::slurm

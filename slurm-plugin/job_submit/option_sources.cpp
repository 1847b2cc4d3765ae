// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/option_sources.hpp"

namespace epochcast::slurm {

namespace {

// What Slurm makes of --train-task of a SPANK plugin named epochcast: everything that is neither a
// letter nor a digit becomes '_'.
constexpr const char* spank_prefix = "_SLURM_SPANK_OPTION_epochcast_train_";
constexpr const char* variable_prefix = "EPOCHCAST_TRAIN_";

// The text behind `prefix` in an entry "prefix…", else null. Null entries are survived.
const char* value_after(const char* entry, const char* prefix) {
    const std::size_t length = std::strlen(prefix);
    return entry && std::strncmp(entry, prefix, length) == 0 ? entry + length : nullptr;
}

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
                  char* message) {
    for (uint32_t i = 0; env && i < size; ++i) {
        const char* text = value_after(env[i], prefix);
        const char* equals = text ? std::strchr(text, '=') : nullptr;
        if (!equals || !equals[1]) continue;
        char key[64];
        if (!read_key(key, text, equals)) {
            std::snprintf(message,
                          EPOCHCAST_MESSAGE_SIZE,
                          "variable '%.40s...' is no option of epochcast",
                          env[i]);
            return false;
        }
        if (epochcast_options_set(&options, key, equals + 1, message, EPOCHCAST_MESSAGE_SIZE) != 0)
            return false;
    }
    return true;
}

void append(job_desc_msg_t& job, const char* entry) {
    xrecalloc(job.spank_job_env, job.spank_job_env_size + 1, sizeof(char*));
    job.spank_job_env[job.spank_job_env_size++] = xstrdup(entry);
}

}  // namespace

bool read_sources(epochcast_options_t& options, const job_desc_msg_t& job, char* message) {
    std::memset(&options, 0, sizeof options);
    // salloc and srun send no environment; there the SPANK plugin puts the variables beside its
    // options.
    return read_entries(
               options, spank_prefix, job.spank_job_env, job.spank_job_env_size, message) &&
           read_entries(options, variable_prefix, job.environment, job.env_size, message) &&
           read_entries(
               options, variable_prefix, job.spank_job_env, job.spank_job_env_size, message) &&
           epochcast_options_read_script(
               &options, job.script, 0, message, EPOCHCAST_MESSAGE_SIZE) == 0 &&
           epochcast_options_read_comment(&options, job.comment, message, EPOCHCAST_MESSAGE_SIZE) ==
               0;
}

void write_job_env(job_desc_msg_t& job, const epochcast_options_t& options) {
    uint32_t kept = 0;
    for (uint32_t i = 0; job.spank_job_env && i < job.spank_job_env_size; ++i) {
        if (value_after(job.spank_job_env[i], EPOCHCAST_JOB_PREFIX))
            xfree(job.spank_job_env[i]);
        else
            job.spank_job_env[kept++] = job.spank_job_env[i];
    }
    job.spank_job_env_size = kept;
    char entry[EPOCHCAST_ENTRY_SIZE];
    int given = 0;
    for (uint32_t row = 0;
         (given = epochcast_options_job_entry(&options, row, entry, sizeof entry)) >= 0;
         ++row)
        if (given) append(job, entry);
}

}  // namespace epochcast::slurm

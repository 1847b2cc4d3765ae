// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// How a job's checked options travel from job_submit to the select shim: as entries of the job's
// spank_job_env, the one field of a job that Slurm keeps through restarts and requeues and that no
// user reads or types. Prolog and Epilog see them with Slurm's prefix SPANK_ in front.

#include <array>
#include <cstdint>
#include <cstring>

#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

struct JobEnvKey {
    const char* prefix;  // "EPOCHCAST_TASK="
    const char* option;  // "task"
};
inline constexpr std::array<JobEnvKey, 3> job_env_keys = {{
    {"EPOCHCAST_TASK=", "task"},
    {"EPOCHCAST_EPOCHS=", "epochs"},
    {"EPOCHCAST_POLICY=", "policy"},
}};

// The text behind `prefix` in an entry "prefix…", else null. Null entries are survived.
inline const char* value_after(const char* entry, const char* prefix) {
    const std::size_t length = std::strlen(prefix);
    return entry && std::strncmp(entry, prefix, length) == 0 ? entry + length : nullptr;
}

// Reads the entries that job_submit wrote. False: there are none, or one of them is malformed (then
// it was not job_submit that wrote it, and the job gets no steering). No allocation.
inline bool read_job_env(epochcast_options_t& options, char* const* env, uint32_t size) {
    std::memset(&options, 0, sizeof options);
    char message[EPOCHCAST_MESSAGE_SIZE];
    bool found = false;
    for (uint32_t i = 0; env && i < size; ++i) {
        const char* spank_value = value_after(env[i], "SPANK_");
        const char* entry = spank_value ? spank_value : env[i];
        if (!value_after(entry, "EPOCHCAST_")) continue;
        for (const JobEnvKey& key : job_env_keys) {
            const char* value = value_after(entry, key.prefix);
            if (!value) continue;
            if (epochcast_options_set(&options, key.option, value, message, sizeof message) != 0)
                return false;
            found = true;
        }
    }
    return found;
}

}  // namespace epochcast::slurm

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The plugin's functions, found at run time, and job descriptors to call them with.

#include <slurm/slurm.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// Of Slurm's library, which is preloaded and whose header is private.
inline void* (*slurm_xcalloc)(size_t, size_t, bool, bool, const char*, int, const char*) = nullptr;
inline char* (*slurm_xstrdup)(const char*) = nullptr;

inline int (*job_submit)(job_desc_msg_t*, uint32_t, char**) = nullptr;
inline int (*job_modify)(job_desc_msg_t*, void*, uint32_t, char**) = nullptr;
inline int failures = 0;

inline void check(const char* name, bool good) {
    std::printf("%s - %s\n", good ? "ok" : "not ok", name);
    failures += good ? 0 : 1;
}

inline bool same_bytes(const job_desc_msg_t& a, const job_desc_msg_t& b) {
    const auto bytes = [](const job_desc_msg_t& job) {
        return std::string_view(reinterpret_cast<const char*>(&job), sizeof job);
    };
    return bytes(a) == bytes(b);
}

inline job_desc_msg_t empty_job() {
    job_desc_msg_t job;
    std::memset(&job, 0, sizeof job);
    job.het_job_offset = NO_VAL;
    job.time_limit = NO_VAL;
    job.pn_min_memory = NO_VAL64;
    return job;
}

// A list of texts in Slurm's memory, as in slurmctld: the plugin frees and grows it.
inline char** slurm_list(const std::vector<std::string>& texts) {
    auto** list = static_cast<char**>(
        slurm_xcalloc(texts.size() + 1, sizeof(char*), true, false, __FILE__, __LINE__, ""));
    for (std::size_t i = 0; i < texts.size(); ++i) list[i] = slurm_xstrdup(texts[i].c_str());
    return list;
}

// The environment's entries that begin with prefix, joined.
inline std::string environment_of(const job_desc_msg_t& job, const std::string& prefix) {
    std::string found;
    for (uint32_t i = 0; job.environment && i < job.env_size; ++i)
        if (job.environment[i] && std::string(job.environment[i]).starts_with(prefix))
            found += std::string(job.environment[i]) + ";";
    return found;
}

// The entry of spank_job_env that begins with key, or "".
inline std::string spank_value(const job_desc_msg_t& job, const std::string& key) {
    for (uint32_t i = 0; i < job.spank_job_env_size; ++i)
        if (job.spank_job_env[i] && std::string(job.spank_job_env[i]).starts_with(key))
            return std::string(job.spank_job_env[i]).substr(key.size());
    return "";
}

inline void passes_untouched(const char* name, job_desc_msg_t job) {
    const job_desc_msg_t before = job;
    char* error = nullptr;
    const int rc = job_submit(&job, 1000, &error);
    check(name, rc == 0 && !error && same_bytes(job, before));
}

inline void is_refused(const char* name, job_desc_msg_t job, const char* words) {
    const job_desc_msg_t before = job;
    char* error = nullptr;
    const int rc = job_submit(&job, 1000, &error);
    check(name, rc != 0 && error && std::strstr(error, words) && same_bytes(job, before));
    check("  also where nobody takes the message", job_submit(&job, 1000, nullptr) != 0);
}

// Jobs with options (job_submit_options.cpp).
void check_options();

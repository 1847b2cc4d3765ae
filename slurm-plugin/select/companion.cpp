// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/companion.hpp"

#include <dlfcn.h>

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

namespace {

constexpr const char* dir_variable = "EPOCHCAST_JOB_SUBMIT_DIR";

// slurmctld stops at a plugin that it cannot load, so what it would refuse is not offered to it.
bool is_of_this_version(const char* path) {
    void* plugin = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!plugin) return false;
    const auto* version = static_cast<const uint32_t*>(dlsym(plugin, "plugin_version"));
    const bool fits = version && *version == SLURM_VERSION_NUMBER && dlsym(plugin, "job_submit");
    dlclose(plugin);
    return fits;
}

// Whether a list like "lua,epochcast" or "a:b" has this word.
bool has_word(const char* list, const char* word, char separator) {
    const std::size_t length = std::strlen(word);
    for (const char* at = list; at && *at;) {
        const char* end = std::strchr(at, separator);
        const std::size_t size = end ? static_cast<std::size_t>(end - at) : std::strlen(at);
        if (size == length && std::strncmp(at, word, length) == 0) return true;
        at = end ? end + 1 : nullptr;
    }
    return false;
}

// Appends a word to one of Slurm's own texts; null is an empty one.
void append(char*& list, const char* word, char separator) {
    char* longer = list && *list ? xstrdup_printf("%s%c%s", list, separator, word) : xstrdup(word);
    xfree(list);
    list = longer;
}

}  // namespace

void add_job_submit() noexcept {
    const char* dir = std::getenv(dir_variable);
    if (!dir || !*dir || has_word(slurm_conf.job_submit_plugins, "epochcast", ',') ||
        has_word(slurm_conf.job_submit_plugins, "job_submit/epochcast", ','))
        return;
    char path[1024];
    std::snprintf(path, sizeof path, "%s/job_submit_epochcast.so", dir);
    if (!is_of_this_version(path)) {
        info("epochcast: %s is not a plugin of Slurm %s: options of jobs are not read",
             path,
             SLURM_VERSION_STRING);
        return;
    }
    // Last in PluginDir: whatever else lies in the folder stays behind Slurm's own.
    if (!has_word(slurm_conf.plugindir, dir, ':')) append(slurm_conf.plugindir, dir, ':');
    append(slurm_conf.job_submit_plugins, "epochcast", ',');
}

}  // namespace epochcast::slurm

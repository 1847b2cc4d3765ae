// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/companions.hpp"

#include <dlfcn.h>

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

namespace {

constexpr const char* dir_variable = "EPOCHCAST_COMPANIONS_DIR";

// slurmctld stops at a plugin that it cannot load, so what it would refuse is not offered to it.
bool is_of_this_version(const char* dir, const char* file, const char* function) {
    char path[1024];
    std::snprintf(path, sizeof path, "%s/%s", dir, file);
    void* plugin = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const auto* version =
        plugin ? static_cast<const uint32_t*>(dlsym(plugin, "plugin_version")) : nullptr;
    const bool fits = version && *version == SLURM_VERSION_NUMBER && dlsym(plugin, function);
    if (plugin) dlclose(plugin);
    if (!fits)
        info("epochcast: %s is not a plugin of Slurm %s: slurmctld goes without it",
             path,
             SLURM_VERSION_STRING);
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

// Slurm's own texts are Slurm's memory.
void replace(char*& text, char* by) {
    xfree(text);
    text = by;
}

void append(char*& list, const char* word, char separator) {
    const bool is_first = !list || !*list;
    replace(list, is_first ? xstrdup(word) : xstrdup_printf("%s%c%s", list, separator, word));
}

void add_job_submit(const char* dir) {
    if (has_word(slurm_conf.job_submit_plugins, "epochcast", ',') ||
        has_word(slurm_conf.job_submit_plugins, "job_submit/epochcast", ','))
        return;
    if (is_of_this_version(dir, "job_submit_epochcast.so", "job_submit"))
        append(slurm_conf.job_submit_plugins, "epochcast", ',');
}

void add_site_factor(const char* dir) {
    const char* present = slurm_conf.site_factor_plugin;
    if (xstrcmp(slurm_conf.priority_type, "priority/multifactor") != 0 ||
        (present && *present && !std::strstr(present, "none")))
        return;
    if (is_of_this_version(dir, "site_factor_epochcast.so", "site_factor_p_set"))
        replace(slurm_conf.site_factor_plugin, xstrdup("site_factor/epochcast"));
}

}  // namespace

void add_companions() noexcept {
    const char* dir = std::getenv(dir_variable);
    if (!dir || !*dir) return;
    add_job_submit(dir);
    add_site_factor(dir);
    // Last in PluginDir: whatever else lies in the folder stays behind Slurm's own.
    if (!has_word(slurm_conf.plugindir, dir, ':')) append(slurm_conf.plugindir, dir, ':');
}

}  // namespace epochcast::slurm

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/entries.hpp"

namespace epochcast::slurm {

namespace {

bool is_ours(const char* entry) {
    return value_after(entry, EPOCHCAST_JOB_PREFIX) || value_after(entry, own_prefix);
}

}  // namespace

const char* value_after(const char* entry, const char* prefix) {
    const std::size_t length = std::strlen(prefix);
    return entry && std::strncmp(entry, prefix, length) == 0 ? entry + length : nullptr;
}

const char* find_value(char* const* array, uint32_t size, const char* prefix) {
    for (uint32_t i = 0; array && i < size; ++i)
        if (const char* value = value_after(array[i], prefix)) return value;
    return nullptr;
}

void remove_ours(Entries entries) {
    if (!entries.array) return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < entries.size; ++i) {
        char* entry = entries.array[i];
        if (is_ours(entry))
            xfree(entry);
        else if (kept++ != i)
            entries.array[kept - 1] = entry;
    }
    if (kept == entries.size) return;
    entries.size = kept;
    entries.array[kept] = nullptr;
}

void append(Entries entries, const char* entry) {
    if (!entries.array) entries.size = 0;
    xrecalloc(entries.array, entries.size + 2, sizeof(char*));
    entries.array[entries.size++] = xstrdup(entry);
    entries.array[entries.size] = nullptr;
}

void append(Entries entries, const epochcast_options_t& options) {
    char entry[EPOCHCAST_ENTRY_SIZE];
    int given = 0;
    for (uint32_t row = 0;
         (given = epochcast_options_job_entry(&options, row, entry, sizeof entry)) >= 0;
         ++row)
        if (given) append(entries, entry);
}

}  // namespace epochcast::slurm

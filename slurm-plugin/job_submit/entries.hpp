// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Lists of "NAME=value" as job descriptors and job records have them, environment and
// spank_job_env: memory of Slurm's, with a null pointer behind the last entry, because Slurm reads
// some of them up to there and others up to their size. Null entries are survived.

#include "common/slurm_version.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

struct Entries {
    char**& array;
    uint32_t& size;
};

// What job_submit notes for itself beside a job's options; not shown to the task.
inline constexpr const char* own_prefix = "EPOCHCAST_OWN_";
inline constexpr const char* own_excluded = "EPOCHCAST_OWN_EXCLUDED=";  // the user's -x

// The text behind `prefix` in an entry "prefix...", else null.
const char* value_after(const char* entry, const char* prefix);

// The value of the first entry that begins with `prefix`, else null.
const char* find_value(char* const* array, uint32_t size, const char* prefix);

// Frees the entries that begin with EPOCHCAST_JOB_ or EPOCHCAST_OWN_. Without such nothing is
// touched.
void remove_ours(Entries entries);

void append(Entries entries, const char* entry);

// Appends the given options as EPOCHCAST_JOB_<OPTION>=value.
void append(Entries entries, const epochcast_options_t& options);

}  // namespace epochcast::slurm

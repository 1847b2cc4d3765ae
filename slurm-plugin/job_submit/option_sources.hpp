// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Where a submitted job's options may stand, and what job_submit makes of them.

#include "common/slurm_version.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

// Reads every form, first one wins: --train-* (SPANK), EPOCHCAST_TRAIN_* variables, #EPOCHCAST
// lines of the script, --comment "epochcast:…". Any field of the descriptor may be null. False: a
// value is malformed, and message (EPOCHCAST_MESSAGE_SIZE) says which and what is allowed.
bool read_sources(epochcast_options_t& options, const job_desc_msg_t& job, char* message);

// Writes the options into job.spank_job_env, where the select shim reads them,
// in place of such entries that are already there.
void write_job_env(job_desc_msg_t& job, const epochcast_options_t& options);

}  // namespace epochcast::slurm

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Where the options of a job that is being submitted may stand.

#include "common/slurm_version.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

// A sentence for the user.
struct Message {
    char text[EPOCHCAST_MESSAGE_SIZE] = "";
    // False, with the sentence written, so that a check can end in one line.
    __attribute__((format(printf, 2, 3))) bool refuse(const char* format, ...);
};

// Reads every form, first one wins: --train-* (SPANK), EPOCHCAST_TRAIN_* variables, #EPOCHCAST
// lines of the script, --comment "epochcast:...". Of a heterogeneous job each component has its
// own, and the script, which Slurm gives to the first one only, is remembered for the others, which
// follow at once in the same thread. Any field of the descriptor may be null. False: a value is
// malformed, and message says which and what is allowed. True: the message is a warning or empty.
bool read_sources(epochcast_options_t& options, const job_desc_msg_t& job, Message& message);

// The same for the comment alone, on top of which the options that the job has already are kept.
bool read_changes(epochcast_options_t& options,
                  const char* comment,
                  const epochcast_options_t& before,
                  Message& message);

}  // namespace epochcast::slurm

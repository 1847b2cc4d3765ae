// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What the shim makes of one call of job_test, before the stock function runs.

#include <cstdint>

#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

struct Plan {
    const epochcast_table_t* table = nullptr;
    const epochcast_options_t* options = nullptr;
    const char* policy = "";                      // the job's own or the table's default
    int mode = EPOCHCAST_MODE_OFF;                // of the partition
    const char* verdict = nullptr;                // static; null: not ours to judge, record nothing
    bool steer = false;                           // set weights
    const epochcast_choice_t* choices = nullptr;  // best first
    uint32_t choice_count = 0;
    uint32_t rankable = 0;
};

}  // namespace epochcast::slurm

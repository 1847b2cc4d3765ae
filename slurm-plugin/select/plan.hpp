// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What the shim makes of one call of job_test, before the stock function runs.

#include <cstdint>

#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

// What the job leaves open. Equal bounds: it does not.
struct Freedom {
    uint32_t least_nodes = 1;
    uint32_t most_nodes = 1;
    uint32_t least_devices = 0;  // per node; 0: it asks for none, or how many is not known
    uint32_t most_devices = 0;
    bool of_nodes() const { return least_nodes != most_nodes; }
    bool of_devices() const { return least_devices != most_devices; }
};

struct Plan {
    const epochcast_table_t* table = nullptr;
    const epochcast_options_t* options = nullptr;
    const char* policy = "";                      // the job's own or the table's default
    int mode = EPOCHCAST_MODE_OFF;                // of the partition
    const char* verdict = nullptr;                // static; null: there is nothing to record
    bool judges = false;                          // it was ranked, or should have been
    bool steer = false;                           // set weights
    const epochcast_choice_t* choices = nullptr;  // best first
    uint32_t choice_count = 0;
    uint32_t rankable = 0;
    Freedom freedom;
    bool is_planned = false;  // the first choice is the queue plan's class
    epochcast_planned_t planned{};

    // Of a class that is rankable.
    const epochcast_choice_t& choice_of(int32_t node_class) const {
        uint32_t i = 0;
        while (i + 1 < rankable && choices[i].class_index != static_cast<uint32_t>(node_class)) ++i;
        return choices[i];
    }
};

}  // namespace epochcast::slurm

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The stock select plugin behind the shim: a needed library of ours, whose functions of the names
// that we define too are reached through the dynamic linker's "next one".

#include "common/slurm_version.hpp"

namespace epochcast::slurm {

struct Stock {
    int (*init)() = nullptr;
    int (*fini)() = nullptr;  // may be null
    JobTestFunction job_test = nullptr;
    int (*state_restore)(char*) = nullptr;  // null from 23.11 on

    // Looks the functions up. False if one is missing or the stock plugin is not of this version.
    bool find(uint32_t version);
};

}  // namespace epochcast::slurm

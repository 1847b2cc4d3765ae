// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Where the plugins in slurmctld find the forecast files.

#include <cstdlib>

namespace epochcast::slurm {

// The folder that slurmctld's variable EPOCHCAST_FORECAST_DIR names, else the usual one.
inline const char* forecast_dir() {
    const char* dir = std::getenv("EPOCHCAST_FORECAST_DIR");
    return dir && *dir ? dir : "/var/lib/epochcast/forecast.d";
}

}  // namespace epochcast::slurm

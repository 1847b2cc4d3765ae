// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// SIGTERM, SIGUSR2 (Slurm's warning before the time limit) and SIGINT ask for an orderly end.

namespace epochcast::runtime {

// From here on these signals no longer end the process.
void watch_stop_signals();

// The signal that came last, 0 if none came.
int stop_signal();

}  // namespace epochcast::runtime

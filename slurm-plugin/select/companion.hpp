// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Makes slurmctld load job_submit/epochcast although slurm.conf does not name it: where the shim
// was put in slurmctld's way without a change of slurm.conf (activate/epochcast-slurmctld), the
// plugin that reads the jobs' options must come and go with it. Named in slurm.conf, a plugin of
// another version would keep slurmctld from starting after an upgrade of Slurm.

namespace epochcast::slurm {

// If the environment's EPOCHCAST_JOB_SUBMIT_DIR names a folder with a job_submit_epochcast.so of
// this very version: adds it to the JobSubmitPlugins and the folder to the PluginDir that slurmctld
// has in memory. Slurm must be about to load job_submit plugins and nobody be reading these two
// settings, as in init() and while slurm.conf is read. Never throws; what is wrong is logged.
void add_job_submit() noexcept;

}  // namespace epochcast::slurm

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Makes slurmctld load job_submit/epochcast and site_factor/epochcast although slurm.conf does not
// name them: where the shim was put in slurmctld's way without a change of slurm.conf
// (activate/epochcast-slurmctld), its companions must come and go with it. Named in slurm.conf, one
// of another version would keep slurmctld from starting after an upgrade of Slurm.

namespace epochcast::slurm {

// If the environment's EPOCHCAST_COMPANIONS_DIR names the folder of the two, of this very version:
// adds that folder to the PluginDir that slurmctld has in memory, job_submit to its
// JobSubmitPlugins, and the site factor where priority/multifactor has none (it does nothing unless
// the forecast files say so). Slurm must be about to load such plugins and nobody be reading these
// settings, as in init() and while slurm.conf is read. Never throws; what is wrong is logged.
void add_companions() noexcept;

}  // namespace epochcast::slurm

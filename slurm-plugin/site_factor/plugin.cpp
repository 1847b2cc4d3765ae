// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

// The site_factor plugin, optional: brings the queue plan into the priorities of asking jobs. Needs
// PriorityType=priority/multifactor and site_factor_most in the configuration of epochcast.

#include "common/forecast_dir.hpp"
#include "common/slurm_version.hpp"
#include "site_factor/queue_order.hpp"

#define EPOCHCAST_EXPORT __attribute__((visibility("default")))

namespace {

// Set by init() before any job, cleared by fini() after the last one; Slurm orders the two.
epochcast::slurm::QueueOrder* order = nullptr;

}  // namespace

extern "C" {

EPOCHCAST_EXPORT extern const char plugin_name[] = "epochcast queue order";
EPOCHCAST_EXPORT extern const char plugin_type[] = "site_factor/epochcast";
EPOCHCAST_EXPORT extern const uint32_t plugin_version = SLURM_VERSION_NUMBER;

// Without memory or a thread for it, every factor stays what it is.
EPOCHCAST_EXPORT int init(void) {
    if (!epochcast::slurm::in_slurmctld() || order) return SLURM_SUCCESS;
    try {
        order = new epochcast::slurm::QueueOrder(epochcast::slurm::forecast_dir());
    } catch (...) {
        info("epochcast: out of memory at start: no site factors");
    }
    return SLURM_SUCCESS;
}

EPOCHCAST_EXPORT int fini(void) {
    delete order;
    order = nullptr;
    return SLURM_SUCCESS;
}

EPOCHCAST_EXPORT void site_factor_p_set(job_record_t* job) noexcept {
    if (order && job) order->set_factor(*job);
}

// A thread of our own follows the plan: Slurm comes here once in some minutes, or never.
EPOCHCAST_EXPORT void site_factor_p_update(void) {}

// Slurm calls it up to 23.11.
EPOCHCAST_EXPORT void site_factor_p_reconfig(void) {}

}  // extern "C"

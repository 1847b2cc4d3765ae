// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

// The select shim: a select_cons_tres.so that Slurm finds before its own. It is the stock plugin
// with one function in front: select_p_job_test(), where a job that asked for steering gets its
// nodes in the order of its forecast utility. Everything else, and every other job, is forwarded
// untouched. Whatever is wrong (version, forecast file, our own error) ends in stock scheduling.

#include "common/forecast_dir.hpp"
#include "common/slurm_version.hpp"
#include "select/duty.hpp"
#include "select/stock.hpp"

namespace {

using epochcast::slurm::Duty;
using epochcast::slurm::Shim;
using epochcast::slurm::Stock;

// Set by init() before any job_test, cleared by fini() after the last one; Slurm orders the three.
Stock stock;
Duty* duty = nullptr;

// Clients of Slurm 22.05 load this plugin too and never come here. Not finding memory or threads
// for it means stock scheduling.
Duty* start_duty() noexcept {
    try {
        return new Duty(stock.job_test, epochcast::slurm::forecast_dir());
    } catch (...) {
        info("epochcast: out of memory at start: stock scheduling");
        return nullptr;
    }
}

// slurmctld as it is usually built ends by exit() without calling fini(); no crash comes here.
__attribute__((destructor)) void process_exits() {
    if (duty) duty->ends_in_order();
}

}  // namespace

#define EPOCHCAST_EXPORT __attribute__((visibility("default")))

extern "C" {

EPOCHCAST_EXPORT extern const char plugin_name[] = "cons_tres with epochcast's node order";
EPOCHCAST_EXPORT extern const char plugin_type[] = "select/cons_tres";
EPOCHCAST_EXPORT extern const uint32_t plugin_version = SLURM_VERSION_NUMBER;

// Not 0: Slurm unloads us and takes the stock plugin from the next folder of PluginDir.
EPOCHCAST_EXPORT int init(void) {
    if (!stock.find(plugin_version) || stock.init() != SLURM_SUCCESS) return SLURM_ERROR;
    if (epochcast::slurm::in_slurmctld() && !duty) duty = start_duty();
    return SLURM_SUCCESS;
}

EPOCHCAST_EXPORT int fini(void) {
    if (duty) duty->ends_in_order();
    delete duty;
    duty = nullptr;
    return stock.fini ? stock.fini() : SLURM_SUCCESS;
}

EPOCHCAST_EXPORT int select_p_job_test(job_record_t* job,
                                       bitstr_t* nodes,
                                       uint32_t min_nodes,
                                       uint32_t max_nodes,
                                       uint32_t req_nodes,
                                       uint16_t mode,
                                       EPOCHCAST_JOB_TEST_TAIL) noexcept {
    const epochcast::slurm::JobTest test = {
        job, nodes, min_nodes, max_nodes, req_nodes, mode, EPOCHCAST_JOB_TEST_TAIL_VALUES};
    Shim* shim = duty ? duty->shim() : nullptr;
    return shim ? shim->job_test(test) : epochcast::slurm::call(stock.job_test, test);
}

#if EPOCHCAST_RECONFIGURES_IN_PLACE
// Slurm calls it each time it has read slurm.conf, and never else.
EPOCHCAST_EXPORT int select_p_state_restore(char* dir) noexcept {
    if (duty) duty->slurm_conf_is_read();
    return stock.state_restore ? stock.state_restore(dir) : SLURM_SUCCESS;
}
#endif

}  // extern "C"

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

// The select shim: a select_cons_tres.so that Slurm finds before its own. It is the stock plugin
// with one function in front: select_p_job_test(), where a job that asked for steering gets its
// nodes in the order of its forecast utility. Everything else, and every other job, is forwarded
// untouched. Whatever is wrong (version, forecast file, our own error) ends in stock scheduling.

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "common/slurm_version.hpp"
#include "select/shim.hpp"
#include "select/stock.hpp"

namespace {

using epochcast::slurm::Shim;
using epochcast::slurm::Stock;

constexpr const char* forecast_dir_variable = "EPOCHCAST_FORECAST_DIR";
constexpr const char* forecast_dir_default = "/var/lib/epochcast/forecast.d";

// Set by init() before any job_test, cleared by fini() after the last one; Slurm orders the three.
Stock stock;
Shim* shim = nullptr;

// In slurmctld all signals belong to its signal thread; threads of ours inherit this mask.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

// Reads where the forecast files are and starts to watch them. Clients of Slurm 22.05 load this
// plugin too and never come here. Not finding memory for it means stock scheduling.
Shim* start_shim() noexcept {
    const char* dir = std::getenv(forecast_dir_variable);
    if (!dir || !*dir) dir = forecast_dir_default;
    try {
        const SignalsBlocked blocked;
        return new Shim(stock.job_test, dir);
    } catch (...) {
        info("epochcast: out of memory at start: stock scheduling");
        return nullptr;
    }
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
    if (epochcast::slurm::in_slurmctld() && !shim) shim = start_shim();
    return SLURM_SUCCESS;
}

EPOCHCAST_EXPORT int fini(void) {
    delete shim;
    shim = nullptr;
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
    return shim ? shim->job_test(test) : epochcast::slurm::call(stock.job_test, test);
}

}  // extern "C"

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

// The job_submit plugin: reads a job's epochcast options in whatever form they came, refuses what
// is malformed or cannot be kept with a sentence that the user sees at sbatch, and leaves the rest
// in one form for the select shim and for the task. A job without our options passes byte for byte,
// but for entries EPOCHCAST_JOB_* of the job that it was submitted from; comments of users and
// sites are never written.

#include <cerrno>
#include <new>

#include "common/slurm_version.hpp"
#include "job_submit/submission.hpp"

#define EPOCHCAST_EXPORT __attribute__((visibility("default")))

namespace {

using epochcast::slurm::Forecasts;
using epochcast::slurm::Message;

constexpr const char* forecast_dir_variable = "EPOCHCAST_FORECAST_DIR";
constexpr const char* forecast_dir_default = "/var/lib/epochcast/forecast.d";

// Set by init() before any job_submit, cleared by fini() after the last one; Slurm orders the
// three.
Forecasts* forecasts = nullptr;

// Null if there is no memory for them: then there are no forecasts.
Forecasts* start_forecasts() noexcept {
    const char* dir = std::getenv(forecast_dir_variable);
    if (!dir || !*dir) dir = forecast_dir_default;
    return new (std::nothrow) Forecasts(dir);
}

void tell(char** err_msg, const Message& message) {
    if (err_msg && *message.text)
        xstrfmtcat(*err_msg, "%sepochcast: %s", *err_msg ? "\n" : "", message.text);
}

// "Invalid argument": none of Slurm's own numbers says that.
int refuse(char** err_msg, const Message& message, const char* what, uint32_t uid) {
    tell(err_msg, message);
    verbose("epochcast: refused %s of uid %u: %s", what, uid, message.text);
    return EINVAL;
}

}  // namespace

extern "C" {

EPOCHCAST_EXPORT extern const char plugin_name[] = "epochcast job options";
EPOCHCAST_EXPORT extern const char plugin_type[] = "job_submit/epochcast";
EPOCHCAST_EXPORT extern const uint32_t plugin_version = SLURM_VERSION_NUMBER;

EPOCHCAST_EXPORT int init(void) noexcept {
    if (epochcast::slurm::in_slurmctld() && !forecasts) forecasts = start_forecasts();
    return SLURM_SUCCESS;
}

EPOCHCAST_EXPORT int fini(void) noexcept {
    delete forecasts;
    forecasts = nullptr;
    return SLURM_SUCCESS;
}

// An exception (no memory) leaves the job as it came.
EPOCHCAST_EXPORT int job_submit(job_desc_msg_t* job, uint32_t uid, char** err_msg) noexcept {
    try {
        Message message;
        if (!job) return SLURM_SUCCESS;
        if (!epochcast::slurm::submit(*job, uid, forecasts, message))
            return refuse(err_msg, message, "a job", uid);
        tell(err_msg, message);
    } catch (...) {
        info("epochcast: out of memory: a job of uid %u passes as it came", uid);
    }
    return SLURM_SUCCESS;
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
EPOCHCAST_EXPORT int job_modify(job_desc_msg_t* change,
                                job_record_t* job,
                                uint32_t uid,
                                char** err_msg) noexcept {
#else
EPOCHCAST_EXPORT int job_modify(job_desc_msg_t* change, job_record_t* job, uint32_t uid) noexcept {
    char** const err_msg = nullptr;  // the user is told "Invalid argument", the log has the reason
#endif
    try {
        Message message;
        if (change && job && !epochcast::slurm::modify(*change, *job, uid, forecasts, message))
            return refuse(err_msg, message, "a change", uid);
    } catch (...) {
        info("epochcast: out of memory: a change of uid %u passes as it came", uid);
    }
    return SLURM_SUCCESS;
}

}  // extern "C"

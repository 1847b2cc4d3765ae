// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

// The job_submit plugin: reads a job's epochcast options in whatever form they came, refuses
// malformed ones with a sentence that the user sees at sbatch, and leaves the rest in one form for
// the select shim. A job without our options passes byte for byte; comments of users and sites are
// never written.

#include <cerrno>

#include "common/slurm_version.hpp"
#include "job_submit/option_sources.hpp"

#define EPOCHCAST_EXPORT __attribute__((visibility("default")))

namespace {

// All work of job_submit(); an exception (no memory) leaves the job as it came.
int submit(job_desc_msg_t* job, uint32_t uid, char** err_msg) {
    using namespace epochcast::slurm;
    epochcast_options_t options;
    char message[EPOCHCAST_MESSAGE_SIZE] = "";
    if (!read_sources(options, *job, message)) {
        if (err_msg) *err_msg = xstrdup_printf("epochcast: %s", message);
        verbose("epochcast: refused a job of uid %u: %s", uid, message);
        return EINVAL;  // "Invalid argument": none of Slurm's own numbers says that
    }
    if (epochcast_options_empty(&options)) return SLURM_SUCCESS;
    write_job_env(*job, options);
    verbose("epochcast: job of uid %u: task '%s', epochs %" PRIu64 ", policy '%s'",
            uid,
            options.task,
            options.epochs,
            options.policy);
    return SLURM_SUCCESS;
}

}  // namespace

extern "C" {

EPOCHCAST_EXPORT extern const char plugin_name[] = "epochcast job options";
EPOCHCAST_EXPORT extern const char plugin_type[] = "job_submit/epochcast";
EPOCHCAST_EXPORT extern const uint32_t plugin_version = SLURM_VERSION_NUMBER;

EPOCHCAST_EXPORT int job_submit(job_desc_msg_t* job, uint32_t uid, char** err_msg) noexcept {
    try {
        return job ? submit(job, uid, err_msg) : SLURM_SUCCESS;
    } catch (...) {
        return SLURM_SUCCESS;
    }
}

// Options are read at submission only; changing a job changes none of them.
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
EPOCHCAST_EXPORT int job_modify(job_desc_msg_t*, job_record_t*, uint32_t, char**) noexcept {
#else
EPOCHCAST_EXPORT int job_modify(job_desc_msg_t*, job_record_t*, uint32_t) noexcept {
#endif
    return SLURM_SUCCESS;
}

}  // extern "C"

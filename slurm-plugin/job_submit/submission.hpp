// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What job_submit does with a job that is being submitted, and with a change of a pending one.
// Either the job is refused and stays as it came, or all that follows from its options is written.

#include "common/slurm_version.hpp"
#include "job_submit/forecasts.hpp"
#include "job_submit/option_sources.hpp"

namespace epochcast::slurm {

// False: refused, with the reason in message; else it is a warning or empty. forecasts: null where
// there are none.
bool submit(job_desc_msg_t& job, uint32_t submit_uid, Forecasts* forecasts, Message& message);

// `scontrol update job=N comment='epochcast:policy=cost'` changes options of a pending job; a
// change of options, partition or excluded nodes of a job with placement=require changes what it
// excludes. Slurm asks before it checks who may change the job; only the owner and operators change
// options.
bool modify(job_desc_msg_t& change,
            job_record_t& job,
            uint32_t uid,
            Forecasts* forecasts,
            Message& message);

}  // namespace epochcast::slurm

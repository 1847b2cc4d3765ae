// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What follows for a job from its options and the forecast table when it is submitted or changed:
// whether its policy is allowed, which nodes placement=require leaves, and which time limit it
// gets. Decided without touching the job.

#include <string>

#include "decide/epochcast_decide.h"
#include "job_submit/class_survey.hpp"
#include "job_submit/option_sources.hpp"

namespace epochcast::slurm {

// The policy that counts; empty: none.
const char* policy_of(const epochcast_table_t* table, const epochcast_options_t& options);

// False if every partition of the job is steered and none of them allows its policy.
bool check_policy(const epochcast_table_t* table,
                  const epochcast_options_t& options,
                  const ClassSurvey& survey,
                  Message& message);

// placement=require: the nodes that the job must not get, all those outside the best class among
// those of its partitions. False if that cannot be said, or if the job could never run there: it
// would wait for ever.
bool require_best_class(const epochcast_table_t* table,
                        const epochcast_options_t& options,
                        const ClassSurvey& survey,
                        const Needs& needs,
                        std::string& outside,
                        Message& message);

// The time limit for a job whose user gave none, minutes; NO_VAL: leave it alone.
uint32_t time_limit_for(const epochcast_table_t* table,
                        const epochcast_options_t& options,
                        const ClassSurvey& survey,
                        const Needs& needs);

}  // namespace epochcast::slurm

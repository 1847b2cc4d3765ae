// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A recorded decision as people read it. The record may have been written by its user: values of
// any type, or missing, are survived.

#include <vector>

#include "cli/context.hpp"
#include "cli/expected_start.hpp"

namespace epochcast {

// A plan for a pending job; else the job has started. Records of old had no word for it.
bool is_plan(const Json& decision);

// The job, the outcome, and a table of the classes; with `starts`, when each could be had.
void print_decision(Context& context,
                    const Json& decision,
                    const std::vector<ExpectedStart>& starts);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The keys of a [[job]]: what each takes, and the check of one value. Only for the sources of
// src/config; users see job_key_table() of job_file.hpp.

#include <string>
#include <string_view>

#include "config/job_file.hpp"
#include "core/result.hpp"

namespace epochcast {

// What kind of TOML value a key takes; on the command line every value is text.
enum class JobKeyForm { text, whole, real, flag };

struct JobKeyRule {
    JobKeyForm form;
    // Usage error "<key> '<value>' is not allowed: give ...".
    Result<void> (*set)(TrainJob&, std::string_view key, std::string_view value);
};

// Null for a key that there is not.
const JobKeyRule* job_key_rule(std::string_view key);

// All keys with ", " between them.
std::string known_job_keys();

}  // namespace epochcast

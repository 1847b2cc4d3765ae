// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The decisions that slurmctld recorded as JSON lines (src/decide/decision_line.hpp has the
// format). The files lie in users' own folders, so they are hostile: bounded reads, no links, no
// pipes.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "core/result.hpp"

namespace epochcast {

// "12", or "12_3" for task 3 of the array job 12.
struct JobName {
    std::uint32_t job = 0;
    std::optional<std::uint32_t> array_task;
};

// Error: usage, naming the text and the two forms.
Result<JobName> parse_job_name(const std::string& text);

struct DecisionSearch {
    std::optional<Json> decision;      // the newest one for the job
    std::uint32_t uid = 0;             // in whose folder it was found
    std::vector<std::string> ignored;  // files that could not be read, one sentence each
};

// Looks through <dir>/<uid>/ of these users. A record that speaks for another uid than its folder's
// is ignored. A job id that is the id of an array matches its newest task.
DecisionSearch find_decision(const std::filesystem::path& dir,
                             const std::vector<std::uint32_t>& uids,
                             const JobName& job);

// The users that have a folder in `dir`. Error: environment if it cannot be listed.
Result<std::vector<std::uint32_t>> users_with_decisions(const std::filesystem::path& dir);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The files of decisions: <dir>/<uid>/decisions.jsonl, one folder per user, who may read it and do
// what he likes in it. So nothing in there is trusted: links, pipes and files of others are
// refused, and a user harms only the record of his own jobs.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace epochcast {

// One file is moved to decisions.1.jsonl, replacing that, before it would exceed this.
inline constexpr std::int64_t max_decision_file_bytes = 8 << 20;

// Appends one line. The user's folder is made (mode 0750; his own if this process is root) where it
// is missing; `dir` is not. A line is written whole or not at all. Errors: environment.
Result<void> append_decision(const std::string& dir, std::uint32_t uid, std::string_view line);

}  // namespace epochcast

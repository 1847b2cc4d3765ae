// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// One pass over a file that claims to be an epoch log: what could be read, and what is wrong with
// it. Reading fails at the first problem, checking lists them all.

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

struct LogScan {
    EpochLog log;
    std::vector<std::string> problems;  // against the schema; what they concern is not in `log`
    std::uint64_t unwritten_rows = 0;   // of /epochs: claimed, but never filled
};

// Errors as read_log(), for what leaves nothing to check. Waits up to 0.2 s for a file that is just
// being created.
Result<LogScan> scan_log(const std::filesystem::path& path);

}  // namespace epochcast

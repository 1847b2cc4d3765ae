// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Reads an epoch log, also while it is written and after its writer was killed. Never changes the
// file and trusts nothing in it.

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

// Errors: environment (cannot be opened), bad_input (not HDF5, truncated, no epoch log, a wrong
// type, absurd sizes), each with the path and the reason.
Result<EpochLog> read_log(const std::filesystem::path& path);

// What `epochcast log check` finds against the schema: empty if the file is a valid v1 epoch log.
// One sentence per finding. Errors as read_log() where nothing can be checked.
Result<std::vector<std::string>> check_log(const std::filesystem::path& path);

}  // namespace epochcast

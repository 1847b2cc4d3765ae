// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Finds the epoch logs that a command line means.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

// The files themselves, and every *.h5 below the folders, sorted, each once. Symbolic links to
// folders are not followed. A folder that may not be read is named in `unreadable` and left out.
// Errors: environment if a named file or folder does not exist.
Result<std::vector<std::filesystem::path>> find_logs(std::span<const std::filesystem::path> named,
                                                     std::vector<std::string>& unreadable);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Where the file of one model job lies, and how it comes into being without two writers ever
// getting the same one.

#include <filesystem>

#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

// Makes the folders that are missing (`dir` 0755, `<dir>/<uid>` 0750) and an empty file with mode
// 0640 under the next free restart number, which is stored into header.restart. The texts of
// `header` must be fit for a file name. Errors: environment, also if the <uid> folder is a link or
// belongs to somebody else.
Result<std::filesystem::path> reserve_log(const std::filesystem::path& dir, LogHeader& header);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Reading and replacing one small file safely: nothing but a regular file is opened for longer than
// it takes to see what it is, and nobody ever sees a file of ours half written.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

// The file's bytes, in private memory. A symbolic link, directory, pipe or device is refused
// without waiting for it; so is more than max_bytes. Errors: environment with path and reason;
// bad_input for the size.
Result<std::vector<std::uint8_t>> read_regular_file(const std::filesystem::path& path,
                                                    std::uint64_t max_bytes);

// Replaces `path` by a new file with these bytes and mode 0644: write, fsync, rename, fsync of the
// folder. The old file stays until then and on every failure. Errors: environment.
Result<void> replace_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);

}  // namespace epochcast

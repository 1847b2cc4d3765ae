// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What the folder of forecast files says at one moment: the table to use or why there is none. All
// file access of the decide library for reading is here.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "decide/table.hpp"
#include "forecast_file/forecast_dir.hpp"

namespace epochcast {

struct FolderState {
    std::unique_ptr<epochcast_table> table;  // null: steer nothing
    std::string line;                        // what an administrator should read about it
    std::string kind;  // the same as long as there is nothing new to tell; free of ages and sizes
    // When to read again though nothing was changed: a file gets stale, or may have recovered.
    std::int64_t read_again_unix_s = std::numeric_limits<std::int64_t>::max();
};

// Reads the folder, unless a file `off` is in it. `last_good` goes from one call to the next: a
// file that became bad counts as it was before, until that is stale.
FolderState read_folder(const std::filesystem::path& dir,
                        std::int64_t now_unix_s,
                        LastGood& last_good);

// Names, sizes, inodes and times of all that read_folder() looks at, as a text to compare: equal
// before and after means that no file was replaced, and that none was written to for longer than
// a clock tick of the file system.
std::string folder_fingerprint(const std::filesystem::path& dir);

// A checksum over the content of the folder's forecast files, to compare: where times and sizes did
// not change, it tells whether anything else did without taking it all apart again.
std::uint64_t folder_checksum(const std::filesystem::path& dir);

}  // namespace epochcast

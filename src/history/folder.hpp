// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The folder of a history: its segments by number, and the lock under which one is added.

#include <cstdint>
#include <filesystem>
#include <map>

#include "core/result.hpp"

namespace epochcast {

// Holds `<dir>/lock` until it dies; the lock of a process that died is free.
class FolderLock {
  public:
    // Makes the folder if it is missing and waits while another process holds the lock. Errors:
    // environment (no permission, a file system without flock).
    static Result<FolderLock> take(const std::filesystem::path& dir);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

  private:
    explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

// The segments in the order of their numbers; none if the folder does not exist. Errors:
// environment, if it cannot be listed.
Result<std::map<std::uint64_t, std::filesystem::path>> list_segments(
    const std::filesystem::path& dir);

// "<dir>/segment-000042.h5"
std::filesystem::path segment_path(const std::filesystem::path& dir, std::uint64_t number);

}  // namespace epochcast

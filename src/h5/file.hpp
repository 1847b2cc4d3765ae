// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// An HDF5 file: written by us alone, or opened to read while somebody else writes it. Takes no file
// locks: who writes is decided by who created the file, and a reader must never hinder a writer.

#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/result.hpp"
#include "h5/fork_guard.hpp"
#include "h5/handle.hpp"

namespace epochcast::h5 {

// Data sets of a File must be gone before it is closed. Movable; one thread at a time.
class File {
  public:
    // Replaces the content of an existing file, which the caller created with the mode and owner it
    // wants. Errors: environment.
    static Result<File> create(const std::filesystem::path& path);

    // Opens a file that is closed, is being written in SWMR mode, or was left so by a writer that
    // was killed. Errors: environment (no such file, no permission), bad_input (not a plain file,
    // not HDF5, truncated, damaged, or open for writing outside SWMR mode).
    static Result<File> open_to_read(const std::filesystem::path& path);

    // From here on readers may open the file at any time, and no data set or attribute can be added.
    Result<void> start_swmr();

    // Writes everything out. Errors: environment; the file is not open any more either way.
    Result<void> close();

    // An error if the file was deleted: what is written to it would be lost without notice.
    Result<void> check_still_there() const;

    const std::filesystem::path& path() const { return path_; }
    std::int64_t id() const { return handle_.id(); }
    std::uint64_t size_bytes() const;  // on disk now

  private:
    File(std::filesystem::path path, Handle handle)
        : path_(std::move(path)), handle_(std::move(handle)) {}
    std::filesystem::path path_;
    Handle handle_;
    ForkGuard guard_;  // of a file being written
    int descriptor_ = -1;
};

}  // namespace epochcast::h5

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// An HDF5 file: written by us alone, or opened to read while somebody else writes it. Takes no file
// locks: who writes is decided by who created the file, and a reader must never hinder a writer.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/result.hpp"
#include "h5/handle.hpp"
#include "h5/write_queue.hpp"

namespace epochcast::h5 {

// Data sets of a File must be gone before it is closed. Movable; one thread at a time. In a forked
// child, whatever is written to its parent's File goes nowhere.
class File {
  public:
    // Replaces the content of an existing file; one that it has to make has mode 0640. Errors:
    // environment.
    static Result<File> create(const std::filesystem::path& path);

    // Opens a file that is closed, is being written in SWMR mode, or was left so by a writer that
    // was killed. Errors: environment (no such file, no permission), bad_input (not a plain file,
    // not HDF5, truncated, damaged, or open for writing outside SWMR mode).
    static Result<File> open_to_read(const std::filesystem::path& path);

    File(File&&) = default;
    File& operator=(File&& other) noexcept;
    ~File();

    // From here on readers may open the file at any time, and no data set or attribute can be
    // added.
    Result<void> start_swmr();

    // Whether all that was flushed is in the file. Errors: environment, if the disk does not take
    // it (it will be tried again at the next call and at close()) or the file was deleted. While
    // this is an error, nothing more should be written.
    Result<void> check_written();

    // Writes everything out. Errors: environment; the file is not open any more either way, and
    // holds what had been written before the error.
    Result<void> close();

    const std::filesystem::path& path() const { return path_; }
    std::int64_t id() const { return handle_.id(); }
    std::uint64_t size_bytes() const;  // on disk now

  private:
    explicit File(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
    std::unique_ptr<WriteQueue> queue_;  // of a file being written; outlives the handle
    Handle handle_;
};

}  // namespace epochcast::h5

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The way of a written file's bytes to the disk. HDF5 cannot live with a write that fails: after a
// full disk or an exceeded quota it crashes the process when it closes the file. So for HDF5 every
// write succeeds, and what the disk refuses waits here, in order, until the disk takes it.
// At any moment the file holds all writes up to one, as if the writer had been killed there.

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <vector>

namespace epochcast::h5 {

// One file. In a forked child it does nothing, so that HDF5's exit handler there cannot write the
// child's stale copy over what the parent wrote since. Not for two threads at once.
class WriteQueue {
  public:
    WriteQueue() = default;
    WriteQueue(const WriteQueue&) = delete;
    WriteQueue& operator=(const WriteQueue&) = delete;
    ~WriteQueue() { close(); }

    // Opens for reading and writing, closed in programs that are executed. An errno, 0 if it
    // worked.
    int open(const std::filesystem::path& path, int extra_flags);
    void close();

    void write(std::uint64_t offset, std::span<const char> bytes);
    // Cuts or extends the file.
    void resize(std::uint64_t bytes);
    // What was written, waiting or not; zeros behind the end. False on a read error.
    bool read(std::uint64_t offset, std::span<char> bytes) const;
    // The size once nothing waits any more.
    std::uint64_t size_bytes() const;

    // Tries to write out what waits. False if some still does; error() is then the reason.
    bool drain();
    int error() const { return error_; }  // errno; after close(): 0 if nothing was lost
    int descriptor() const { return descriptor_; }

  private:
    struct Waiting {
        std::uint64_t offset;
        std::vector<char> bytes;
        bool is_resize;  // to `offset` bytes
    };
    bool is_ours() const;
    std::uint64_t put(std::uint64_t offset, std::span<const char> bytes);
    bool put_size(std::uint64_t bytes);

    int descriptor_ = -1;
    pid_t owner_ = -1;
    int error_ = 0;
    std::deque<Waiting> waiting_;
};

}  // namespace epochcast::h5

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Memory shared with child processes through a descriptor that they are handed. It has no name, so
// nothing is left in /dev/shm whatever happens.

#include <cstddef>
#include <cstdint>

#include "core/result.hpp"

namespace epochcast::runtime {

class SharedMemory {
  public:
    // Empty memory; its descriptor is closed on exec. Errors: environment.
    static Result<SharedMemory> create();
    // Takes over a descriptor.
    explicit SharedMemory(int fd) : fd_(fd) {}

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    // Sets the size in bytes, once. Errors: environment.
    Result<void> resize(std::uint64_t bytes);
    // Maps all of it. Errors: environment.
    Result<std::byte*> map();

    int fd() const { return fd_; }

  private:
    int fd_ = -1;
    std::byte* base_ = nullptr;
    std::uint64_t bytes_ = 0;
};

}  // namespace epochcast::runtime

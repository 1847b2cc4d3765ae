// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Keeps a forked child from touching its parent's open file. HDF5 flushes and closes every file at
// exit, also in a child that inherited them: the child would write its stale copy over the
// parent's newer content, and would drop the parent's lock.

#include "core/result.hpp"

namespace epochcast::h5 {

// While one lives, each fork() gives the child /dev/null in place of `descriptor`. A descriptor
// that is guarded is also closed in programs that a child executes.
class ForkGuard {
  public:
    ForkGuard() = default;
    // Errors: environment, if /dev/null cannot be opened or fork handlers cannot be installed.
    static Result<ForkGuard> guard(int descriptor);
    ForkGuard(ForkGuard&& other) noexcept;
    ForkGuard& operator=(ForkGuard&& other) noexcept;
    ~ForkGuard();

  private:
    explicit ForkGuard(int descriptor) : descriptor_(descriptor) {}
    void release();
    int descriptor_ = -1;
};

}  // namespace epochcast::h5

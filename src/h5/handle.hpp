// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Owner of one HDF5 identifier.

#include <cstdint>

namespace epochcast::h5 {

// Closes its identifier when it dies; an error of that close is dropped, so whoever needs to know
// calls close() first. Movable, not copyable.
class Handle {
  public:
    using Close = int (*)(std::int64_t);  // H5Fclose, H5Dclose, ...

    Handle() = default;
    Handle(std::int64_t id, Close how) : id_(id), close_(how) {}
    Handle(Handle&& other) noexcept;
    Handle& operator=(Handle&& other) noexcept;
    ~Handle();

    std::int64_t id() const { return id_; }
    bool is_open() const { return id_ >= 0; }
    // False if HDF5 could not close it; it is not owned any more either way.
    bool close();

  private:
    std::int64_t id_ = -1;
    Close close_ = nullptr;
};

}  // namespace epochcast::h5

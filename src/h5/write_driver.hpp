// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// HDF5's file driver on a WriteQueue: what HDF5 calls instead of the system. Files are the same as
// those of HDF5's own driver. It takes no locks.

#include <cstdint>

#include "h5/write_queue.hpp"

namespace epochcast::h5 {

// Makes files that are opened with these access properties write through `queue`, one file at a
// time; the queue must live until that file is closed. False if HDF5 has no room for a driver.
bool write_through(WriteQueue& queue, std::int64_t access_properties);

}  // namespace epochcast::h5

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Measures what one node's processes use in one epoch.

#include <chrono>
#include <cstdint>
#include <vector>

#include "core/epoch_record.hpp"
#include "meter/process_use.hpp"

namespace epochcast::runtime {

// Nanoseconds since 1970-01-01 UTC.
std::uint64_t now_ns();

class EpochMeter {
  public:
    // Starts to measure this process and `pids`, and forgets their peak memory so far.
    explicit EpochMeter(std::vector<int> pids);

    // Time, CPU, memory and disk since construction. `pids` are the processes now: of those that
    // ended, the zygote's own count has the CPU time and disk bytes.
    EpochRecord read(std::vector<int> pids) const;

  private:
    ProcessUse before_;
    std::uint64_t start_ns_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace epochcast::runtime

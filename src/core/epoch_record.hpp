// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What one epoch used. A quantity that was not measured is absent, never 0: NaN for real
// quantities, absent_count for whole ones.

#include <cstdint>
#include <limits>

namespace epochcast {

inline constexpr std::uint64_t absent_count = std::numeric_limits<std::uint64_t>::max();
inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

// Bits of EpochRecord::flags.
enum EpochFlag : std::uint32_t {
    epoch_warm_up = 1u << 0,    // the first epoch of a process: caches and allocators were cold
    epoch_resumed = 1u << 1,    // began from a checkpoint in the middle of training
    epoch_partial = 1u << 2,    // did not run to its end
    epoch_generated = 1u << 3,  // made by the bootstrap by interpolation, not measured
};

// The row unit of a model job as a whole; units from 0 on are its nodes in rank order.
inline constexpr std::int32_t unit_model_job = -1;

// One epoch of one unit. For unit_model_job: wall = max over nodes, CPU, disk and FLOP = sum,
// memory = max over nodes of the node's peak.
struct EpochRecord {
    std::uint64_t epoch = 0;  // index, counted from 0
    std::int32_t unit = unit_model_job;
    std::uint32_t flags = 0;                         // EpochFlag bits
    std::uint64_t start_ns = 0;                      // start, nanoseconds since 1970-01-01 UTC
    double wall_s = absent;                          // duration by a monotonic clock, seconds
    double cpu_s = absent;                           // user + system time of all processes, seconds
    std::uint64_t peak_memory_bytes = absent_count;  // largest resident set in this epoch
    std::uint64_t disk_read_bytes = absent_count;    // fetched from devices
    std::uint64_t disk_written_bytes = absent_count;  // sent to devices
    std::uint64_t syscall_read_bytes = absent_count;  // asked for by read calls, caches included
    std::uint64_t syscall_written_bytes = absent_count;
    double flop = absent;                  // floating-point operations executed
    double flop_rate = absent;             // flop / wall_s, FLOP/s
    std::uint64_t samples = absent_count;  // training samples processed
    std::uint64_t steps = absent_count;    // optimiser steps
    double loss = absent;                  // mean training loss of the epoch
    double device_busy_s = absent;  // seconds that accelerators were busy, summed over devices
    std::uint64_t device_memory_bytes = absent_count;
};

}  // namespace epochcast

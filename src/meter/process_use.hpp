// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What this process and its children used so far, from the kernel.

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/epoch_record.hpp"
#include "core/result.hpp"

namespace epochcast {

// Cumulative since the start of each process, except memory.
struct ProcessUse {
    double cpu_s = absent;
    std::uint64_t peak_memory_bytes =
        absent_count;  // sum over processes of their peak resident set since the last reset
    std::uint64_t resident_bytes = absent_count;  // now, sum over processes
    std::uint64_t disk_read_bytes = absent_count;
    std::uint64_t disk_written_bytes = absent_count;
    std::uint64_t syscall_read_bytes = absent_count;
    std::uint64_t syscall_written_bytes = absent_count;
};

// Sums over these processes; one that is gone contributes nothing. A quantity that the kernel hides
// for all of them stays absent. `proc` is the root of procfs, so tests can pass a folder.
ProcessUse process_use(std::span<const int> pids, const std::filesystem::path& proc = "/proc");

// Makes the kernel forget the peak resident set of these processes (clear_refs); false where it may
// not be reset.
bool reset_peak_memory(std::span<const int> pids, const std::filesystem::path& proc = "/proc");

// b - a for the cumulative fields; memory is b's.
ProcessUse operator-(const ProcessUse& b, const ProcessUse& a);

}  // namespace epochcast

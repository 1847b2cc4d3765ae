// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/epoch_meter.hpp"

#include <unistd.h>

#include <utility>

namespace epochcast::runtime {

namespace {

std::vector<int> with_agent(std::vector<int> pids) {
    pids.push_back(static_cast<int>(getpid()));
    return pids;
}

ProcessUse use_after_reset(const std::vector<int>& pids) {
    reset_peak_memory(pids);
    return process_use(pids);
}

}  // namespace

std::uint64_t now_ns() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

EpochMeter::EpochMeter(std::vector<int> pids)
    : before_(use_after_reset(with_agent(std::move(pids)))),
      start_ns_(now_ns()),
      start_(std::chrono::steady_clock::now()) {}

EpochRecord EpochMeter::read(std::vector<int> pids) const {
    EpochRecord record;
    record.start_ns = start_ns_;
    record.wall_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const ProcessUse use = process_use(with_agent(std::move(pids))) - before_;
    record.cpu_s = use.cpu_s;
    record.peak_memory_bytes = use.peak_memory_bytes;
    record.disk_read_bytes = use.disk_read_bytes;
    record.disk_written_bytes = use.disk_written_bytes;
    record.syscall_read_bytes = use.syscall_read_bytes;
    record.syscall_written_bytes = use.syscall_written_bytes;
    return record;
}

}  // namespace epochcast::runtime

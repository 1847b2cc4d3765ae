// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/epoch_rows.hpp"

#include <algorithm>
#include <cassert>

namespace epochcast::runtime {

namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return a == absent_count || b == absent_count ? absent_count : a + b;
}

std::uint64_t larger(std::uint64_t a, std::uint64_t b) {
    return std::max(a, b);  // absent_count is the largest value, so it stays
}

}  // namespace

EpochRecord model_job_row(std::span<const EpochRecord> nodes) {
    assert(!nodes.empty());
    EpochRecord row = nodes.front();
    row.unit = unit_model_job;
    for (const EpochRecord& node : nodes.subspan(1)) {
        row.start_ns = std::min(row.start_ns, node.start_ns);
        row.wall_s = std::max(row.wall_s, node.wall_s);
        row.cpu_s += node.cpu_s;
        row.peak_memory_bytes = larger(row.peak_memory_bytes, node.peak_memory_bytes);
        row.disk_read_bytes = sum(row.disk_read_bytes, node.disk_read_bytes);
        row.disk_written_bytes = sum(row.disk_written_bytes, node.disk_written_bytes);
        row.syscall_read_bytes = sum(row.syscall_read_bytes, node.syscall_read_bytes);
        row.syscall_written_bytes = sum(row.syscall_written_bytes, node.syscall_written_bytes);
        row.flop += node.flop;
        row.samples = sum(row.samples, node.samples);
    }
    row.flop_rate = row.flop / row.wall_s;
    return row;
}

}  // namespace epochcast::runtime

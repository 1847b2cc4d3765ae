// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/run_rows.hpp"

#include <algorithm>
#include <cmath>

#include "epoch_log/plausible.hpp"

namespace epochcast {

namespace {

constexpr std::uint64_t highest_index = 1'000'000'000;

std::uint64_t part_of(std::uint64_t whole, double fraction) {
    return static_cast<std::uint64_t>(fraction * static_cast<double>(whole));
}

}  // namespace

// A counter that begins again at 0 is another training of the same kind: its epochs are counted on.
// One that goes back to a checkpoint does those epochs again under their old index.
std::uint64_t RunRows::index_of(std::uint32_t run, std::uint64_t epoch) {
    if (run != run_) {
        run_ = run;
        offset_ = epoch == 0 ? next_ : 0;
    }
    const std::uint64_t index = std::min(offset_ + epoch, highest_index);
    next_ = std::max(next_, index + 1);
    return index;
}

EpochRecord RunRows::row(double begin_s, double end_s, const UseTrack& track) const {
    const ProcessUse use = track.between(begin_s, end_s);
    EpochRecord row;
    const double since_start_s = std::max(0.0, begin_s - frame_.start_s);
    row.start_ns = frame_.start_ns + static_cast<std::uint64_t>(since_start_s * 1e9);
    row.cpu_s = use.cpu_s;
    row.peak_memory_bytes = use.peak_memory_bytes;
    row.disk_read_bytes = use.disk_read_bytes;
    row.disk_written_bytes = use.disk_written_bytes;
    row.syscall_read_bytes = use.syscall_read_bytes;
    row.syscall_written_bytes = use.syscall_written_bytes;
    return row;
}

// What one node used is not what the job used.
std::vector<EpochRecord> RunRows::split(const EpochRecord& row) const {
    if (implausibility(row)) return {};
    if (frame_.sees_all_nodes) return {row};
    EpochRecord job = row;
    job.cpu_s = absent;
    job.peak_memory_bytes = job.disk_read_bytes = job.disk_written_bytes = absent_count;
    job.syscall_read_bytes = job.syscall_written_bytes = absent_count;
    EpochRecord node = row;
    node.unit = 0;
    node.samples = node.steps = absent_count;
    node.loss = absent;
    return {node, job};
}

std::vector<EpochRecord> RunRows::ended(const EpochEvent& event, const UseTrack& use) {
    EpochRecord made = row(event.begin_s, event.end_s, use);
    made.epoch = index_of(event.run, event.epoch);
    made.wall_s = event.wall_s;
    made.loss = event.loss;
    made.steps = event.steps;
    made.samples = event.samples;
    if (made.samples == absent_count && event.is_whole) {
        made.samples = frame_.samples_per_epoch.value_or(absent_count);
    }
    if (!has_ended_any_) made.flags |= epoch_warm_up;
    if (!has_ended_any_ && event.epoch > 0) made.flags |= epoch_resumed;
    if (!event.is_whole) made.flags |= epoch_partial | epoch_resumed;
    has_ended_any_ = true;
    return split(made);
}

std::vector<EpochRecord> RunRows::partial(const UnfinishedEpoch& epoch,
                                          double now_s,
                                          std::optional<std::uint64_t> steps_per_epoch,
                                          const UseTrack& use) {
    EpochRecord made = row(epoch.begin_s, now_s, use);
    made.epoch = index_of(epoch.run, epoch.epoch);
    made.wall_s = now_s - epoch.begin_s;
    made.loss = epoch.loss;
    made.flags = epoch_partial;
    if (!epoch.is_whole) made.flags |= epoch_resumed;
    const bool is_known = epoch.is_whole && epoch.fraction >= 0 && epoch.fraction <= 1;
    if (is_known && steps_per_epoch) made.steps = part_of(*steps_per_epoch, epoch.fraction);
    if (is_known && frame_.samples_per_epoch) {
        made.samples = part_of(*frame_.samples_per_epoch, epoch.fraction);
    }
    return split(made);
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Rows of an epoch log made of what a program said of its epochs and what its processes used
// meanwhile.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/epoch_record.hpp"
#include "meter/use_track.hpp"
#include "recognise/epoch_event.hpp"

namespace epochcast {

struct RunFrame {
    double start_s = 0;          // when the program was started, by the monotonic clock
    std::uint64_t start_ns = 0;  // the same moment, since 1970
    bool sees_all_nodes = true;  // false: only one of several nodes is measured
    std::optional<std::uint64_t> samples_per_epoch;
};

class RunRows {
  public:
    explicit RunRows(const RunFrame& frame) : frame_(frame) {}

    // The row of an epoch that ended, and where other nodes are not measured that of this node.
    // Empty: its numbers cannot be true.
    std::vector<EpochRecord> ended(const EpochEvent& event, const UseTrack& use);

    // The row of an epoch up to now_s, which a later one of the same epoch replaces.
    std::vector<EpochRecord> partial(const UnfinishedEpoch& epoch,
                                     double now_s,
                                     std::optional<std::uint64_t> steps_per_epoch,
                                     const UseTrack& use);

  private:
    std::uint64_t index_of(std::uint32_t run, std::uint64_t epoch);
    EpochRecord row(double begin_s, double end_s, const UseTrack& use) const;
    std::vector<EpochRecord> split(const EpochRecord& row) const;

    RunFrame frame_;
    std::uint32_t run_ = 0;
    std::uint64_t offset_ = 0;  // of epochs of this run of the program's counter
    std::uint64_t next_ = 0;    // above all rows so far
    bool has_ended_any_ = false;
};

}  // namespace epochcast

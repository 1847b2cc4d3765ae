// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// One file of the history: what one intake took from some logs
// (hdf5-schemas/history_segment.v1.md).

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/forecast/series.hpp"
#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

// Which log a part came from, what it says about all its rows, and which rows were looked at: those
// numbered [first_row, end_row) in the log's /epochs, of all units.
struct LogPart {
    LogHeader header;  // of it, what identifies the log, its task and attributes; no nodes
    Placement placement;
    bool resumed = false;       // the log went on from a checkpoint of an earlier one
    double startup_s = absent;  // start of the model job to its first epoch
    std::uint64_t first_row = 0;
    std::uint64_t end_row = 0;
};

// A row of unit_model_job that was kept.
struct KeptRow {
    std::uint64_t part = 0;  // index into Segment::parts
    std::uint64_t row = 0;   // number in the log's /epochs
    EpochRecord record;
};

struct Segment {
    std::vector<LogPart> parts;
    std::vector<KeptRow> rows;
};

// Errors: environment (cannot be opened), bad_input (damaged, no segment).
Result<Segment> read_segment(const std::filesystem::path& path);

// Puts the segment at `path`, whole or not at all, also if the machine dies. Builds it in a file
// beside it first, so only one process at a time may write in that folder. Errors: environment.
Result<void> write_segment(const std::filesystem::path& path, const Segment& segment);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The content of an epoch log: one model job's identity, where it ran, and what each epoch used.
// The file layout is hdf5-schemas/epoch_log.v1.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/epoch_record.hpp"
#include "core/task.hpp"

namespace epochcast {

// One machine that the model job ran on; its position is the unit number of its rows.
struct LogNode {
    std::string host;
    std::uint32_t cpus = 0;     // CPUs that the job could really use (its affinity mask)
    std::uint32_t workers = 0;  // virtual workers there
};

// Written once, before the first epoch.
struct LogHeader {
    std::string cluster;        // Slurm's cluster name, or "local"
    std::string job_id;         // "1234", "1234_7" for an array task, "1234+1" for a het component;
                                // outside a job "<host>-<pid>-<start>"
    std::string model_job;      // unique within the job; file-name safe
    std::uint32_t restart = 0;  // the n of the file name's r<n>
    std::uint32_t uid = 0;
    TaskKey task;
    TaskAttributes attributes;
    std::optional<std::uint64_t> declared_epochs;
    std::uint64_t start_ns = 0;  // start of the model job, ns since 1970-01-01 UTC
    std::vector<LogNode> nodes;
    std::string writer;  // "epochcast-train 0.1.0"
    std::string note;    // free text for people, e.g. "learning_rate=0.01 seed=1"
};

enum class EventKind : std::uint8_t { start = 0, end = 1, failure = 2, resume = 3, resize = 4 };

struct LogEvent {
    EventKind kind = EventKind::start;
    std::uint64_t time_ns = 0;
    std::uint64_t epoch = 0;  // the epoch it fell into
    std::string text;         // at most 127 bytes
};

// Requirement A3: both mandatory. Kept up to date with every row of unit_model_job.
struct LogTotals {
    std::uint64_t total_epochs = 0;    // whole epochs that ran (partial rows do not count)
    double total_training_time_s = 0;  // sum of their wall_s
};

struct EpochLog {
    LogHeader header;
    std::vector<EpochRecord> rows;  // all units, in order of writing
    std::vector<LogEvent> events;
    LogTotals totals;
    bool ended() const;        // an end event is present
    double startup_s() const;  // start_ns to the first epoch's start; NaN without an epoch
};

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The job file of epochcast-train: what to train, and how. One [[job]] table; several are refused
// for now. Everything that can be checked without looking at the machine is checked here.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/result.hpp"

namespace epochcast {

// One [[job]]. The defaults are what a key that is left out means.
struct TrainJob {
    std::string task;  // as parse_task_name(); has no default
    std::string model = "cnn";
    std::filesystem::path data = "/usr/share/datasets/fashion-mnist";
    std::string loss = "cross_entropy";
    std::string optimiser = "sgd";
    double learning_rate = 0.02;
    double momentum = 0.9;
    std::uint32_t batch = 64;
    std::uint32_t micro_batch = 16;  // at most batch; left out: the smaller of 16 and batch
    std::uint64_t epochs = 1;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> samples;       // absent: all that the data has
    std::optional<std::uint64_t> test_samples;  // absent: all; 0: no test
    std::uint32_t workers = 0;                  // per node; 0: one per CPU that the task may use
    bool oversubscribe = false;                 // more workers than CPUs is meant so
    std::filesystem::path checkpoint;           // folder; empty: none are written
    std::filesystem::path log_dir;              // empty: the caller's default
};

// One key as users see it. Null-terminated static text.
struct JobKeyHelp {
    const char* name;
    const char* argument;       // "N"
    const char* default_value;  // as it would be written
    const char* help;           // one line with unit and what is allowed
};
std::span<const JobKeyHelp> job_key_table();

// Reads the file and applies `overrides` ("key=value", later ones win) on top. Errors: environment
// (the file cannot be read), bad_input "<file>:<line>: ..." (not TOML, unknown key, wrong type or
// value, no task, several [[job]]), usage (a malformed override).
Result<TrainJob> read_job_file(const std::filesystem::path& file,
                               std::span<const std::string> overrides);

}  // namespace epochcast

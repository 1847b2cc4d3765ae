// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Everything that one node can check and read before training: job file, data, CPUs, folders.

#include <cstdint>
#include <filesystem>
#include <string>

#include "config/job_file.hpp"
#include "core/result.hpp"
#include "job/command_line.hpp"
#include "job/data_set.hpp"
#include "job/launch.hpp"
#include "job/micro_batch.hpp"
#include "job/model_spec.hpp"

namespace epochcast::runtime {

struct Preparation {
    TrainJob job;
    DataSet data;
    EpochCut cut;
    ModelSpec model;
    std::uint32_t cpus = 1;     // that this task may use
    std::uint32_t workers = 1;  // on this node
    std::filesystem::path log_dir;
    std::filesystem::path checkpoint;  // a file; empty: none
    std::string checkpoint_identity;   // see write_checkpoint()
};

// Errors: as read_job_file() and read_data_set(); environment (more workers than CPUs);
// bad_input (image size, micro-batches too small for the
// model).
Result<Preparation> prepare(const CommandLine& line,
                            const Environment& environment,
                            const JobIdentity& identity,
                            std::uint32_t affinity_cpus);

// Makes the folder if it is missing. Errors: environment (it cannot be written, and why).
Result<void> make_writable(const std::filesystem::path& folder);

}  // namespace epochcast::runtime

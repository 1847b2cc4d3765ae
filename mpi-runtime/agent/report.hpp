// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What rank 0 tells the user: the plan, a line per epoch, the end; as text or as one JSON object.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/job_file.hpp"
#include "core/epoch_record.hpp"
#include "epoch_log/log.hpp"
#include "job/data_set.hpp"
#include "job/micro_batch.hpp"
#include "job/model_spec.hpp"

namespace epochcast::runtime {

struct Plan {
    TrainJob job;
    EpochCut cut;
    std::string dataset;
    std::uint32_t height = 0;
    std::uint32_t width = 0;
    std::uint32_t channels = 0;
    std::uint32_t classes = 0;
    std::uint64_t test_samples = 0;
    std::uint64_t parameters = 0;
    std::vector<LogNode> nodes;
    std::uint64_t shared_bytes_per_node = 0;
    std::filesystem::path log_dir;
};

struct Ending {
    std::vector<EpochRecord> epochs;  // the model job's own rows of this run
    std::filesystem::path log;
    std::string parameters_digest;   // of parameters and statistics, as bit_digest()
    std::optional<double> accuracy;  // of the test samples, 0 to 1
    std::uint64_t worker_deaths = 0;
    int stop_signal = 0;
};

std::string plan_text(const Plan& plan);
std::string plan_json(const Plan& plan);

// "epoch 2/4: loss 0.4312, 3.52 s, 2841 samples/s, ...", without a newline.
std::string epoch_line(const EpochRecord& row, std::uint64_t epochs);

std::string ending_text(const Ending& ending);
std::string ending_json(const Plan& plan, const Ending& ending);

}  // namespace epochcast::runtime

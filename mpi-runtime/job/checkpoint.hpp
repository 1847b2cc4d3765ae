// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The state of a model job on disk: everything that later steps depend on. No random state is in
// it, because random numbers depend on (seed, epoch, step, micro-batch) only.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast::runtime {

struct TrainState {
    std::uint64_t epoch = 0;        // the next step to do
    std::uint64_t step = 0;         //
    double epoch_loss_sum = 0;      // of this epoch's samples before `step`
    std::vector<float> parameters;  // in the board's flat layout
    std::vector<float> velocity;    // the optimiser's, same layout
    std::vector<float> statistics;  // BatchNorm running statistics
};

// Writes a new file beside `path`, syncs it, and renames it over `path`: after a crash at any
// moment the old or the new checkpoint is there, whole. `identity` says which training this is the
// state of, as "key=value" lines. Errors: environment (no space, no permission).
Result<void> write_checkpoint(const std::filesystem::path& path,
                              const std::string& identity,
                              const TrainState& state);

// The checkpoint, or nothing if there is no file. The file is not trusted. Errors: environment
// (cannot be read), bad_input (damaged, or of another training: names the first line that differs).
Result<std::optional<TrainState>> read_checkpoint(const std::filesystem::path& path,
                                                  const std::string& identity);

}  // namespace epochcast::runtime

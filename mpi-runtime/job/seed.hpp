// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Random numbers that depend only on what is computed, never on who computes it or how often it was
// tried, so that every run of a job gives the same bits.

#include <cstdint>
#include <vector>

namespace epochcast::runtime {

// Seed of the initial parameters.
std::uint64_t parameter_seed(std::uint64_t job_seed);

// Seed of one micro-batch's dropout.
std::uint64_t micro_batch_seed(std::uint64_t job_seed,
                               std::uint64_t epoch,
                               std::uint64_t step,
                               std::uint32_t micro_batch);

// 0 .. samples-1 in the order of this epoch: a Fisher-Yates shuffle, the same on every machine.
std::vector<std::uint32_t> epoch_order(std::uint64_t job_seed,
                                       std::uint64_t epoch,
                                       std::uint32_t samples);

}  // namespace epochcast::runtime

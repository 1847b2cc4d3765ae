// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// From what is known before training to the plan that is shown and the board that is made.

#include <cstdint>

#include "agent/report.hpp"
#include "core/result.hpp"
#include "job/model_spec.hpp"
#include "job/preparation.hpp"
#include "store/board.hpp"

namespace epochcast::runtime {

// The board of node `node` of `nodes`: room for its share of a step's results.
BoardSize board_size(const Preparation& ready,
                     const ModelSize& model,
                     std::uint32_t node,
                     std::uint32_t nodes);

// Everything of the plan but its nodes.
void fill_plan(Plan& plan,
               const Preparation& ready,
               const ModelSize& model,
               const BoardPlan& board);

// Errors: environment, if more is needed than is available.
Result<void> check_memory(std::uint64_t needed_bytes, std::uint64_t available_bytes);

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The life of a worker: wait for a task on the board, compute it, leave the result there.

#include <cstdint>

#include "job/model_spec.hpp"
#include "store/board.hpp"
#include "worker/flat_model.hpp"

namespace epochcast::runtime {

// Serves slot `worker` until the process is killed. An exception of libtorch becomes the slot's
// error text.
[[noreturn]] void serve_slot(FlatModel& model,
                             const ModelSpec& spec,
                             const Board& board,
                             std::uint32_t worker);

}  // namespace epochcast::runtime

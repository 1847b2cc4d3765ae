// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// One agent: a node's part of epochcast-train, from its command line to its exit code.

#include <functional>
#include <memory>

#include "agent/collective.hpp"
#include "job/command_line.hpp"
#include "job/launch.hpp"

namespace epochcast::runtime {

// Initialises MPI and returns all its ranks; called at most once, after the zygote was forked.
using JoinRanks = std::function<std::unique_ptr<Collective>()>;

// Returns the exit code of design.md section 8, the same on every rank. Rank 0 alone prints.
int run_agent(const CommandLine& line,
              const Launch& launch,
              const Environment& environment,
              const JoinRanks& join_ranks);

}  // namespace epochcast::runtime

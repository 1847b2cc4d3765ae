// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#pragma once

// The command line of `epochcast simulate`, and what it does.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/simulate_input.hpp"

namespace epochcast {

// As given; numbers are parsed by us so that messages name what is allowed.
struct SimulateOptions {
    TraceOptions trace;
    std::vector<std::string> policies;
    std::optional<std::string> sigma;
    std::string seed = "1";
    std::string repeat = "1";
    std::string move_s = "180";
    std::optional<std::string> window;
    std::optional<std::filesystem::path> per_job;
    bool is_closed_loop = false;
    bool as_csv = false;
};

// Reads the trace, runs it under each policy, prints the results. Returns the exit code.
int run_simulation(Context& context, const SimulateOptions& options);

}  // namespace epochcast

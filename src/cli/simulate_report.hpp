// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What simulations amount to: a table for people, CSV and JSON for programs.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/simulate_input.hpp"
#include "simulate/named_policy.hpp"

namespace epochcast {

// One policy's runs.
struct PolicyOutcome {
    std::string label;
    std::vector<double> jct_mean_s;  // by seed; empty: as recorded, not simulated
    simulate::Metrics mean;          // over the seeds
};

struct SimulationReport {
    std::string trace;  // the file's name
    const SimulatedTrace* input = nullptr;
    simulate::Conditions conditions;
    std::uint64_t seed = 1;
    std::uint32_t seeds = 1;
    std::size_t first_job = 0;  // of those that are measured
    std::size_t last_job = 0;   // inclusive
    std::vector<PolicyOutcome> outcomes;
};

std::string simulation_text(const SimulationReport& report);
std::string simulation_csv(const SimulationReport& report);
Json simulation_json(const SimulationReport& report);

// One line per job, policy and seed.
std::string job_rows_header();
std::string job_rows(const std::string& label,
                     std::uint64_t seed,
                     const simulate::Trace& trace,
                     const simulate::RunResult& result);

}  // namespace epochcast

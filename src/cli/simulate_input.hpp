// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Finds out what kind of trace a file is, reads it with the files that it needs, and sets up the
// cluster that it is simulated on.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/simulate_cluster.hpp"
#include "simulate/pollux_trace.hpp"
#include "simulate/readers/sacct.hpp"
#include "simulate/trace.hpp"

namespace epochcast {

// As given on the command line; empty or absent: not given.
struct TraceOptions {
    std::filesystem::path trace;
    std::optional<std::string> format;  // gavel, pollux, sacct; absent: found out
    std::optional<std::filesystem::path> throughputs;
    std::optional<std::string> rates;  // physical, simulation
    std::optional<std::string> jobs_per_hour;
    std::optional<std::filesystem::path> profiles;
    std::optional<std::string> delimiter;
    std::optional<std::string> fields;
    std::vector<std::string> classes;
    std::vector<std::string> speeds;
    bool uses_site = false;
    bool is_staying = false;
    bool is_at_once = false;
    std::optional<std::string> first;  // only so many jobs
};

struct SimulatedTrace {
    std::string format;   // "gavel"
    std::string sources;  // the files besides the trace, in words; empty: none
    simulate::Trace trace;
    std::optional<simulate::PolluxSetting> pollux;
    std::optional<simulate::SacctRead> sacct;
    // What a reader of the results must know; one sentence each.
    std::vector<std::string> notes;
};

// Errors: usage for options that are malformed, missing or of another format; environment for files
// that cannot be read; bad_input with file and line for what they contain.
Result<SimulatedTrace> read_simulated_trace(Context& context, const TraceOptions& options);

// The parts for each format.
Result<SimulatedTrace> read_gavel(Context& context,
                                  const TraceOptions& options,
                                  const std::string& text);
Result<SimulatedTrace> read_pollux(const TraceOptions& options, const std::string& text);
Result<SimulatedTrace> read_sacct_output(Context& context,
                                         const TraceOptions& options,
                                         const std::string& text);

// The error with the file in front.
Error in_file(const std::filesystem::path& file, const Error& error);

}  // namespace epochcast

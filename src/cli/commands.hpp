// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The subcommands, one source file each. Each function adds its subcommand with options and help;
// when the command line names it, it runs and leaves its exit code in the context, which must
// outlive the app.

#include <CLI/CLI.hpp>

#include "cli/context.hpp"

namespace epochcast {

void add_run(CLI::App& app, Context& context);
void add_log(CLI::App& app, Context& context);
void add_history(CLI::App& app, Context& context);
void add_forecast(CLI::App& app, Context& context);
void add_predict(CLI::App& app, Context& context);
void add_rank(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_probe(CLI::App& app, Context& context);
void add_policy(CLI::App& app, Context& context);
void add_simulate(CLI::App& app, Context& context);
void add_switches(CLI::App& app, Context& context);  // off, on, status
void add_doctor(CLI::App& app, Context& context);

// Runs the command line; returns the exit code.
int run_epochcast(int argc, const char* const* argv, Context& context);

}  // namespace epochcast

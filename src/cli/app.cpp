// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/watched_program.hpp"
#include "core/text.hpp"
#include "core/version.hpp"

namespace epochcast {

namespace {

constexpr const char* description =
    "epochcast forecasts what an epoch of training costs on each kind of node, and says why jobs\n"
    "were placed where they are.";

constexpr const char* footer =
    "Exit codes: 0 ok, 1 the answer is no, 2 wrong usage, 3 bad input, 4 the environment refused.\n"
    "Configuration: /etc/epochcast/epochcast.toml, then $XDG_CONFIG_HOME/epochcast/config.toml,\n"
    "then the file that $EPOCHCAST_CONFIG names; --config FILE is read in place of the three.";

std::string names_of(const CLI::App& app) {
    std::string names;
    for (const CLI::App* command : app.get_subcommands({})) {
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    return names;
}

// What is wrong with the command line, in one sentence.
std::string complaint(const CLI::App& command,
                      const std::vector<std::string>& left,
                      const CLI::ParseError& error) {
    const std::string kind = error.get_name();
    if (command.get_name() == "run" && kind != "RequiredError" && !left.empty()) {
        return epochcast::quoted(left[0]) +
               " is not expected here: write epochcast run [options] -- COMMAND...";
    }
    if (kind != "RequiredError" && kind != "ExtrasError") return error.what();
    const bool lacks_command = !command.get_subcommands({}).empty();
    if (lacks_command && left.empty()) return "a command is missing: give " + names_of(command);
    if (lacks_command) {
        return epochcast::quoted(left[0]) + " is not a command: give " + names_of(command);
    }
    if (!left.empty()) return epochcast::quoted(left[0]) + " is not expected here";
    return error.what();
}

// CLI11's own codes become ours: help and version are fine, everything else is wrong usage.
int report(const CLI::App& app, const CLI::ParseError& error, Context& context) {
    if (error.get_exit_code() == 0) return app.exit(error, context.out, context.err);
    std::string named = "epochcast";
    const CLI::App* deepest = &app;
    while (!deepest->get_subcommands().empty()) {
        deepest = deepest->get_subcommands().front();
        named += " " + deepest->get_name();
    }
    complain(context, complaint(*deepest, app.remaining(true), error));
    context.err << "Run `" << named << " --help` for what is allowed.\n";
    // Where a command's exit code passes through, ours must not look like it.
    return named == "epochcast run" ? exit_own_failure : exit_code(ErrorKind::usage);
}

// The command behind `run ... --` is not ours to read: no option, bracket or dash of it means
// anything here.
int cut_command(int argc, const char* const* argv, Context& context) {
    bool is_run = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        is_run = is_run || argument == "run";
        if (!is_run || argument != "--") continue;
        context.command.assign(argv + i + 1, argv + argc);
        return i;
    }
    return argc;
}

}  // namespace

int run_epochcast(int argc, const char* const* argv, Context& context) {
    CLI::App app(description, "epochcast");
    app.footer(footer);
    app.set_version_flag("--version", std::string("epochcast ") + package_version);
    app.add_option("--config", context.config_file, "Read this configuration file only")
        ->type_name("FILE");
    app.require_subcommand(1);
    app.fallthrough();
    add_run(app, context);
    add_log(app, context);
    add_history(app, context);
    add_forecast(app, context);
    add_predict(app, context);
    add_rank(app, context);
    add_explain(app, context);
    add_compare(app, context);
    add_probe(app, context);
    add_policy(app, context);
    add_simulate(app, context);
    add_switches(app, context);
    add_doctor(app, context);
    argc = cut_command(argc, argv, context);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        context.exit_code = report(app, error, context);
    }
    context.out.flush();
    if (!context.out) {
        complain(context, "the output could not be written: is the device full?");
        return exit_code(ErrorKind::environment);
    }
    return context.exit_code;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/command_line.hpp"

#include <string_view>

#include "config/job_file.hpp"
#include "core/text.hpp"

namespace epochcast::runtime {

namespace {

constexpr const char* usage_line =
    "usage: epochcast-train JOB.toml [--set KEY=VALUE]... [--dry-run] [--json]";

Error usage(const std::string& message) {
    return {ErrorKind::usage, message + "\n" + usage_line + "\n(--help explains all of it)"};
}

}  // namespace

Result<CommandLine> parse_command_line(std::span<const char* const> arguments) {
    CommandLine line;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--help" || argument == "-h") {
            line.help = true;
        } else if (argument == "--version") {
            line.version = true;
        } else if (argument == "--dry-run") {
            line.dry_run = true;
        } else if (argument == "--json") {
            line.json = true;
        } else if (argument == "--set") {
            if (++i == arguments.size()) {
                return usage("--set needs KEY=VALUE");
            }
            line.overrides.emplace_back(arguments[i]);
        } else if (argument.starts_with("--set=")) {
            line.overrides.emplace_back(argument.substr(6));
        } else if (argument.starts_with("-") && argument.size() > 1) {
            return usage("unknown option " + quoted(argument));
        } else if (!line.job_file.empty()) {
            return usage("one job file is needed, " + quoted(argument) + " is a second one");
        } else {
            line.job_file = argument;
        }
    }
    if (line.job_file.empty() && !line.help && !line.version) {
        return usage("no job file given");
    }
    return line;
}

std::string help_text() {
    std::string text = usage_line;
    text +=
        "\n\n"
        "Trains one model, data-parallel over the workers of all nodes of a job, and writes an\n"
        "epoch log. Start it with  srun --mpi=pmix epochcast-train job.toml , one task per node,\n"
        "or without Slurm as a single process. The result has the same bits for any number of\n"
        "workers and nodes of one kind, and whatever happens to workers.\n\n"
        "  --set KEY=VALUE  replaces a key of the job file; may be repeated\n"
        "  --dry-run        checks everything, shows the plan, and trains nothing\n"
        "  --json           prints one JSON object at the end in place of lines per epoch\n"
        "  --version, --help\n\n"
        "Keys of the job file, below [[job]]; folders are relative to the current one:\n";
    for (const JobKeyHelp& key : job_key_table()) {
        text += "  " + std::string(key.name) + " = " + key.argument + "\n      " + key.help +
                "\n      default: " + key.default_value + "\n";
    }
    text +=
        "\nSIGTERM, SIGUSR2 and SIGINT end training after the current step, with a checkpoint if\n"
        "`checkpoint` is set; the same command goes on from there.\n\n"
        "Exit codes: 0 trained, 2 wrong usage, 3 bad input, 4 the machine refused, 75 stopped by\n"
        "a signal before the end: start it again.\n";
    return text;
}

}  // namespace epochcast::runtime

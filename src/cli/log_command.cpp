// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <memory>
#include <vector>

#include "cli/commands.hpp"
#include "cli/log_text.hpp"
#include "cli/words.hpp"
#include "epoch_log/reader.hpp"

namespace epochcast {

namespace {

struct LogOptions {
    std::vector<std::filesystem::path> files;
    bool with_units = false;
};

// Shows what can be read; the exit code is that of the first file that cannot.
int show(Context& context, const LogOptions& options) {
    const std::int64_t now_unix_s = context.environment.unix_s;
    std::vector<NamedLog> logs;
    int code = exit_ok;
    for (const auto& file : options.files) {
        auto log = read_log(file);
        if (log) {
            logs.push_back({file, std::move(log).value()});
            continue;
        }
        const int failed = fail(context, log.error());
        if (code == exit_ok) code = failed;
    }
    if (context.as_json) {
        Json document = {{"schema", "epochcast.log_show.v1"}, {"logs", Json::array()}};
        for (const NamedLog& named : logs) document["logs"].push_back(log_json(named, now_unix_s));
        print_json(context, document);
    } else if (logs.size() > 1 && !options.with_units) {
        context.out << side_by_side_text(logs);
    } else {
        for (const NamedLog& named : logs)
            context.out << log_text(named, options.with_units, now_unix_s);
    }
    return code;
}

// 1 if any file has findings, 3 or 4 if one is unusable (which is worse).
int check(Context& context, const LogOptions& options) {
    Json results = Json::array();
    int code = exit_ok;
    for (const auto& file : options.files) {
        const auto findings = check_log(file);
        Json result = {{"path", file.string()}, {"usable", findings.ok()}};
        if (!findings) {
            code = std::max(code, fail(context, findings.error()));
            result["error"] = findings.error().message;
        } else {
            if (!findings.value().empty()) code = std::max(code, exit_negative);
            result["findings"] = findings.value();
        }
        if (!context.as_json && findings) {
            const std::string name = plain(file.string(), 400);
            for (const auto& finding : findings.value()) {
                context.out << name << ": " << finding << "\n";
            }
            if (findings.value().empty()) context.out << name << ": ok\n";
        }
        results.push_back(std::move(result));
    }
    if (context.as_json) {
        print_json(context, {{"schema", "epochcast.log_check.v1"}, {"logs", results}});
    }
    return code;
}

CLI::App* add_verb(
    CLI::App& log, Context& context, const char* name, const char* help, LogOptions& o) {
    CLI::App* verb = log.add_subcommand(name, help);
    verb->add_option("FILE", o.files, "Epoch logs (*.h5)")->required();
    verb->add_flag("--json", context.as_json, "Print JSON");
    return verb;
}

}  // namespace

void add_log(CLI::App& app, Context& context) {
    auto options = std::make_shared<LogOptions>();
    CLI::App* log = app.add_subcommand("log", "Show or check epoch logs");
    log->require_subcommand(1);
    CLI::App* show_verb = add_verb(*log,
                                   context,
                                   "show",
                                   "Show what each epoch used. One file: every quantity. Several "
                                   "files: loss and time side by side",
                                   *options);
    show_verb->add_flag(
        "--units", options->with_units, "Show the rows of single nodes too, file by file");
    show_verb->footer(
        "Times are wall-clock per epoch; read and written are bytes of devices; '-' was not "
        "measured.\nA log can be shown while training writes it; it then says how long the job "
        "will "
        "run on.\nExample: epochcast log show "
        "epochcast-logs/1000/demo-12_*.h5");
    show_verb->callback([&context, options] { context.exit_code = show(context, *options); });
    CLI::App* check_verb = add_verb(*log,
                                    context,
                                    "check",
                                    "Check logs against the schema. Exit code 0: all are valid; 1: "
                                    "there are findings; 3: a file is unusable",
                                    *options);
    check_verb->footer("One line per finding.\nExample: epochcast log check *.h5");
    check_verb->callback([&context, options] { context.exit_code = check(context, *options); });
}

}  // namespace epochcast

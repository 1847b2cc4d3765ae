// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/log_files.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "history/history.hpp"

namespace epochcast {

namespace {

// One segment of the history per so many logs: progress is seen, and a kill loses little.
constexpr std::size_t logs_per_segment = 200;

struct AddOptions {
    std::vector<std::filesystem::path> paths;
};

void append(Intake& sum, const Intake& part) {
    sum.logs += part.logs;
    sum.new_epochs += part.new_epochs;
    sum.known_epochs += part.known_epochs;
    sum.refused.insert(sum.refused.end(), part.refused.begin(), part.refused.end());
    sum.left_out.insert(sum.left_out.end(), part.left_out.begin(), part.left_out.end());
}

Result<Intake> take_in(Context& context,
                       History& history,
                       const Site& site,
                       std::span<const std::filesystem::path> logs) {
    Intake sum;
    const ClassOfHost class_of_host = [&](const std::string& host) {
        return find_class(site, host);
    };
    for (std::size_t done = 0; done < logs.size();) {
        const std::size_t count = std::min(logs_per_segment, logs.size() - done);
        const auto intake = history.add(logs.subspan(done, count), class_of_host);
        if (!intake) return intake.error();
        append(sum, intake.value());
        done += count;
        if (logs.size() > logs_per_segment) {
            complain(context, fmt::format("{} of {} logs read", done, logs.size()));
        }
    }
    return sum;
}

void print_intake(Context& context, const Site& site, const Intake& intake) {
    if (context.as_json) {
        print_json(context,
                   {{"schema", "epochcast.history_add.v1"},
                    {"history_dir", site.config.history_dir.string()},
                    {"logs", intake.logs},
                    {"new_epochs", intake.new_epochs},
                    {"known_epochs", intake.known_epochs},
                    {"refused", intake.refused},
                    {"left_out", intake.left_out}});
        return;
    }
    context.out << fmt::format(
        "took in {} from {}; {} known already; {} refused; history {}\n",
        plural(intake.new_epochs, "new epoch"),
        plural(intake.logs, "log"),
        intake.known_epochs == 1 ? "1 was" : fmt::format("{} were", intake.known_epochs),
        plural(intake.refused.size(), "log"),
        site.config.history_dir.string());
}

Result<Intake> add_logs(Context& context,
                        const Site& site,
                        const AddOptions& options,
                        std::vector<std::string>& unreadable,
                        std::size_t& found) {
    const auto logs = find_logs(options.paths, unreadable);
    if (!logs) return logs.error();
    found = logs.value().size();
    if (logs.value().empty()) {
        complain(context, "there is no epoch log (*.h5) in what was named");
        return Intake{};
    }
    auto history = History::open(site.config.history_dir);
    if (!history) return history.error();
    for (const auto& problem : history.value().problems()) complain(context, problem);
    return take_in(context, history.value(), site, logs.value());
}

int add(Context& context, const AddOptions& options) {
    const auto site = load_site_with_classes(context);
    if (!site) return fail(context, site.error());
    std::vector<std::string> unreadable;
    std::size_t found = 0;
    const auto intake = add_logs(context, site.value(), options, unreadable, found);
    for (const auto& sentence : unreadable) complain(context, sentence);
    if (!intake) return fail(context, intake.error());
    for (const auto& sentence : intake.value().refused) complain(context, sentence);
    for (const auto& sentence : intake.value().left_out) complain(context, sentence);
    print_intake(context, site.value(), intake.value());
    if (!intake.value().refused.empty()) return exit_code(ErrorKind::bad_input);
    if (!unreadable.empty()) return exit_code(ErrorKind::environment);
    return found == 0 ? exit_negative : exit_ok;
}

// Mean seconds of the whole epochs of a series.
double mean_time_s(const Series& series) {
    double sum = 0;
    std::uint64_t count = 0;
    for (const EpochRecord& record : series.records) {
        if ((record.flags & epoch_partial) != 0 || !std::isfinite(record.wall_s)) continue;
        sum += record.wall_s;
        ++count;
    }
    return count == 0 ? absent : sum / static_cast<double>(count);
}

Json series_json(const Series& series) {
    return {{"task", json_task(series.task)},
            {"attributes", json_attributes(series.attributes)},
            {"class", series.placement.node_class},
            {"nodes", series.placement.nodes},
            {"devices_per_node", series.placement.devices_per_node},
            {"runs", series.startups_s.size()},
            {"epochs", series.records.size()},
            {"mean_epoch_s", json_number(mean_time_s(series))}};
}

// The series of one task with equal attributes: they differ in where they ran.
std::string placements_text(std::span<const Series> group) {
    Table table;
    table.column("class", Table::Align::left);
    for (const char* heading : {"nodes", "runs", "epochs", "mean epoch"}) table.column(heading);
    for (const Series& series : group) {
        table.row({plain(series.placement.node_class),
                   std::to_string(series.placement.nodes),
                   std::to_string(series.startups_s.size()),
                   std::to_string(series.records.size()),
                   duration_cell(mean_time_s(series))});
    }
    return table.text();
}

void print_series(Context& context, const Config& config, std::span<const Series> all) {
    if (all.empty()) {
        context.out << "the history " << config.history_dir.string()
                    << " is empty: add logs with `epochcast history add`\n";
        return;
    }
    context.out << fmt::format("history {}: {} series\n", config.history_dir.string(), all.size());
    while (!all.empty()) {
        const auto is_other = [&](const Series& series) {
            return series.task != all[0].task || series.attributes != all[0].attributes;
        };
        const auto end = std::ranges::find_if(all, is_other);
        const auto group = all.first(static_cast<std::size_t>(end - all.begin()));
        const std::string attributes = attributes_text(all[0].attributes);
        const std::string title = plain(all[0].task.name, 128) + " of " +
                                  plain(all[0].task.scope, 64) +
                                  (attributes.empty() ? "" : ": " + attributes);
        context.out << "\n";
        for (const auto& line : wrapped(title, Table::width)) context.out << line << "\n";
        context.out << placements_text(group);
        all = all.subspan(group.size());
    }
}

int show(Context& context) {
    const auto config = load_config(context);
    if (!config) return fail(context, config.error());
    const auto history = History::open(config.value().history_dir);
    if (!history) return fail(context, history.error());
    for (const auto& problem : history.value().problems()) complain(context, problem);
    if (!context.as_json) {
        print_series(context, config.value(), history.value().series());
    } else {
        Json document = {{"schema", "epochcast.history_show.v1"},
                         {"history_dir", config.value().history_dir.string()},
                         {"series", Json::array()},
                         {"problems", history.value().problems()}};
        for (const Series& series : history.value().series()) {
            document["series"].push_back(series_json(series));
        }
        print_json(context, document);
    }
    return history.value().series().empty() ? exit_negative : exit_ok;
}

}  // namespace

void add_history(CLI::App& app, Context& context) {
    auto options = std::make_shared<AddOptions>();
    CLI::App* history = app.add_subcommand("history", "Take epoch logs into the history, show it");
    history->require_subcommand(1);
    CLI::App* add_verb = history->add_subcommand(
        "add", "Take in the new epochs of these logs; what is known already does not count twice");
    add_verb->add_option("PATH", options->paths, "Epoch logs, or folders with *.h5 below them")
        ->required();
    add_verb->add_flag("--json", context.as_json, "Print JSON");
    add_verb->footer(
        "The nodes of a log decide its node class, so [[class]] must be configured.\n"
        "Exit code 1: there is no log; 3: logs were refused (each is named); the others were taken "
        "in.\n"
        "Example: epochcast history add epochcast-logs");
    add_verb->callback([&context, options] { context.exit_code = add(context, *options); });
    CLI::App* show_verb = history->add_subcommand(
        "show", "Show every series: task, class, nodes, number of runs and epochs, mean time");
    show_verb->add_flag("--json", context.as_json, "Print JSON");
    show_verb->footer("Exit code 1: the history is empty.");
    show_verb->callback([&context] { context.exit_code = show(context); });
}

}  // namespace epochcast

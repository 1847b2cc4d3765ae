// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/site.hpp"
#include "cli/table_text.hpp"
#include "cli/words.hpp"
#include "core/forecast/forecast_table.hpp"
#include "core/text.hpp"
#include "forecast_file/forecast_file.hpp"
#include "history/history.hpp"

namespace epochcast {

namespace {

ForecastTable table_of(const Site& site, const History& history, std::int64_t now_unix_s) {
    ForecastTable table;
    table.service = site.config.service;
    table.written_unix_s = now_unix_s;
    table.max_age_s = site.config.max_age_s;
    table.decision_dir = site.config.decision_dir.string();
    table.default_policy = site.config.default_policy;
    table.classes = site.classes;
    table.partitions = site.config.partitions;
    table.settings = site.config.plugins;
    table.tasks = tabulate(history.series(), site.classes);
    return table;
}

std::size_t placement_count(const ForecastTable& table) {
    std::size_t count = 0;
    for (const TaskForecasts& task : table.tasks) count += task.placements.size();
    return count;
}

// What the administrator should know about a file that is fine in itself.
std::vector<std::string> remarks_on(const ForecastTable& table) {
    std::vector<std::string> remarks;
    if (table.tasks.empty()) {
        remarks.emplace_back("no task has a forecast yet: `epochcast history add` takes in logs");
    }
    bool steers = false;
    for (const PartitionRule& rule : table.partitions) steers = steers || rule.mode != Mode::off;
    if (!steers)
        remarks.emplace_back("no [[partition]] has mode \"on\" or \"shadow\": no job is steered");
    const auto without = [&](double (*quantity)(const NodeClass&)) {
        std::string names;
        for (const NodeClass& node_class : table.classes) {
            if (!std::isnan(quantity(node_class))) continue;
            names += (names.empty() ? "" : ", ") + node_class.name;
        }
        return names;
    };
    if (const auto names = without([](const NodeClass& c) { return price_of_node(c, 0); });
        !names.empty()) {
        remarks.push_back("no price: " + names + "; the policy cost ranks them last");
    }
    if (const auto names = without([](const NodeClass& c) { return c.flop_rate; });
        !names.empty()) {
        remarks.push_back("no FLOP rate: " + names + "; `epochcast probe` measures it");
    }
    return remarks;
}

void print_written(Context& context,
                   const std::filesystem::path& file,
                   const ForecastTable& table) {
    const auto remarks = remarks_on(table);
    if (context.as_json) {
        print_json(context,
                   {{"schema", "epochcast.forecast_write.v1"},
                    {"file", file.string()},
                    {"tasks", table.tasks.size()},
                    {"forecasts", placement_count(table)},
                    {"classes", table.classes.size()},
                    {"max_age_s", table.max_age_s},
                    {"remarks", remarks}});
        return;
    }
    context.out << fmt::format("wrote {}: {} of {} on {}, {}\n",
                               file.string(),
                               plural(placement_count(table), "forecast"),
                               plural(table.tasks.size(), "task"),
                               plural(table.classes.size(), "class"),
                               table.max_age_s == 0
                                   ? "valid without limit"
                                   : "valid for " + human_duration(table.max_age_s));
    for (const std::string& remark : remarks) context.out << "  note: " << remark << "\n";
}

int write(Context& context) {
    const auto site = load_site_with_classes(context);
    if (!site) return fail(context, site.error());
    const auto history = History::open(site.value().config.history_dir);
    if (!history) return fail(context, history.error());
    for (const auto& problem : history.value().problems()) complain(context, problem);
    const auto table = table_of(site.value(), history.value(), context.environment.unix_s);
    const auto& dir = site.value().config.forecast_dir;
    std::error_code failure;
    std::filesystem::create_directories(dir, failure);
    if (failure) {
        return fail(context,
                    {ErrorKind::environment,
                     "forecast_dir " + epochcast::quoted(dir.string(), 200) +
                         " cannot be made: " + failure.message() +
                         "; run this as the administrator or set forecast_dir"});
    }
    const auto file = write_forecast_file(dir, table);
    if (!file) return fail(context, file.error());
    print_written(context, file.value(), table);
    return exit_ok;
}

// The table of one file, or of all files of the configured folder that the plugins would use.
Result<ForecastTable> load_table(Context& context, const std::filesystem::path& file) {
    if (!file.empty()) return read_forecast_file(file);
    const auto config = load_config(context);
    if (!config) return config.error();
    std::vector<std::string> problems;
    auto table =
        read_forecast_dir(config.value().forecast_dir, context.environment.unix_s, problems);
    if (!table) {
        return Error{table.error().kind,
                     table.error().message + "; `epochcast forecast write` makes one"};
    }
    for (const std::string& problem : problems) complain(context, "left out " + problem);
    return table;
}

int show(Context& context, const std::filesystem::path& file) {
    const auto table = load_table(context, file);
    if (!table) return fail(context, table.error());
    const std::int64_t now_unix_s = context.environment.unix_s;
    if (!context.as_json) {
        context.out << forecast_table_text(table.value(), now_unix_s);
        return exit_ok;
    }
    Json document = {{"schema", "epochcast.forecast_show.v1"}};
    document.update(forecast_table_json(table.value(), now_unix_s));
    print_json(context, document);
    return exit_ok;
}

}  // namespace

void add_forecast(CLI::App& app, Context& context) {
    auto file = std::make_shared<std::filesystem::path>();
    CLI::App* forecast = app.add_subcommand(
        "forecast", "Write the forecast file that the Slurm plugins read, or show it");
    forecast->require_subcommand(1);
    CLI::App* write_verb = forecast->add_subcommand(
        "write",
        "Write the forecasts of every task in the history on every class, with classes, "
        "prices and partitions, to <forecast_dir>/<service>.fb");
    write_verb->add_flag("--json", context.as_json, "Print JSON");
    write_verb->footer(
        "The plugins take the new file in within seconds; a reader sees the old or the new one.\n"
        "Run it after `epochcast history add`, e.g. by cron: max_age_s bounds a file's life.");
    write_verb->callback([&context] { context.exit_code = write(context); });
    CLI::App* show_verb = forecast->add_subcommand(
        "show", "Show a forecast file, or what the plugins make of all files in forecast_dir");
    show_verb->add_option("FILE", *file, "A forecast file (*.fb); default: all of forecast_dir");
    show_verb->add_flag("--json", context.as_json, "Print JSON");
    show_verb->callback([&context, file] { context.exit_code = show(context, *file); });
}

}  // namespace epochcast

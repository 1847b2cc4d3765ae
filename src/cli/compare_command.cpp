// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/log_files.hpp"
#include "cli/log_text.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/forecast/epoch_statistics.hpp"
#include "epoch_log/reader.hpp"
#include "forecast_file/forecast_file.hpp"

namespace epochcast {

namespace {

// One log: what the forecast files said of its task on its nodes, and what was measured.
struct Comparison {
    std::string job_id;
    std::string hosts;
    std::string node_class;  // empty: its hosts are not of one configured class
    std::uint32_t nodes = 0;
    const Forecast* forecast = nullptr;  // into the forecast table
    RobustMeans measured;
    double run_s = absent;     // start of the model job to the end of its last epoch
    double run_cost = absent;  // in the site's money

    // (measured - forecast) / measured, of one epoch's time.
    double error() const {
        if (forecast == nullptr) return absent;
        return std::abs(measured.means.time_s - forecast->epoch.time_s) / measured.means.time_s;
    }
};

// The class that all hosts belong to; empty if there is none.
std::string common_class(const Site& site, std::span<const LogNode> nodes) {
    std::string common;
    for (const LogNode& node : nodes) {
        const auto found = find_class(site, node.host);
        if (!found || (!common.empty() && *found != common)) return {};
        common = *found;
    }
    return common;
}

const Forecast* find_forecast(const ForecastTable& table,
                              const TaskKey& task,
                              const std::string& node_class,
                              std::uint32_t nodes) {
    const auto key = [&](const TaskForecasts& known) {
        return known.task == task || known.task == TaskKey{"cluster", task.name};
    };
    const auto found = std::ranges::find_if(table.tasks, key);
    if (found == table.tasks.end()) return nullptr;
    for (const PlacementForecast& placement : found->placements) {
        if (placement.nodes == nodes && table.classes[placement.class_index].name == node_class) {
            return &placement.forecast;
        }
    }
    return nullptr;
}

// Start of the model job to the end of its last epoch.
double run_s_of(const EpochLog& log) {
    double run_s = absent;
    for (const EpochRecord& row : log.rows) {
        if (row.unit != unit_model_job || row.start_ns < log.header.start_ns) continue;
        const auto since_start_ns = static_cast<double>(row.start_ns - log.header.start_ns);
        run_s = std::fmax(run_s, since_start_ns * 1e-9 + row.wall_s);
    }
    return run_s;
}

Comparison compare_log(const Site& site, const ForecastTable& table, const EpochLog& log) {
    Comparison result;
    result.job_id = log.header.job_id;
    result.nodes = static_cast<std::uint32_t>(log.header.nodes.size());
    for (const LogNode& node : log.header.nodes) {
        result.hosts += (result.hosts.empty() ? "" : ",") + node.host;
    }
    result.node_class = common_class(site, log.header.nodes);
    result.forecast = find_forecast(table, log.header.task, result.node_class, result.nodes);
    std::vector<EpochRecord> rows;
    std::ranges::copy_if(log.rows, std::back_inserter(rows), [](const EpochRecord& row) {
        return row.unit == unit_model_job;
    });
    result.measured = robust_means(rows);
    result.run_s = run_s_of(log);
    const auto of_class = std::ranges::find(site.classes, result.node_class, &NodeClass::name);
    if (of_class != site.classes.end()) {
        result.run_cost = price_of_node(*of_class, 0) * result.nodes * result.run_s / 3600;
    }
    return result;
}

std::string comparisons_text(std::span<const Comparison> comparisons) {
    Table table;
    table.column("job", Table::Align::left);
    table.column("nodes", Table::Align::left);
    table.column("class", Table::Align::left);
    table.column("forecast/epoch");
    table.column("measured/epoch");
    table.column("error");
    table.column("whole run");
    table.column("cost");
    for (const Comparison& row : comparisons) {
        const double forecast_s = row.forecast == nullptr ? absent : row.forecast->epoch.time_s;
        table.row({plain(row.job_id),
                   plain(row.hosts, 24),
                   row.node_class.empty() ? "-" : plain(row.node_class),
                   duration_cell(forecast_s),
                   duration_cell(row.measured.means.time_s),
                   std::isnan(row.error()) ? "-" : fmt::format("{:.1f} %", row.error() * 100),
                   duration_cell(row.run_s),
                   number_cell(row.run_cost)});
    }
    return table.text();
}

Json comparisons_json(std::span<const Comparison> comparisons) {
    Json rows = Json::array();
    for (const Comparison& row : comparisons) {
        rows.push_back({{"job_id", row.job_id},
                        {"hosts", row.hosts},
                        {"class", json_text(row.node_class)},
                        {"nodes", row.nodes},
                        {"forecast", row.forecast ? json_forecast(*row.forecast) : Json()},
                        {"measured_epoch_s", json_number(row.measured.means.time_s)},
                        {"measured_epochs", row.measured.used},
                        {"error", json_number(row.error())},
                        {"run_s", json_number(row.run_s)},
                        {"run_cost", json_number(row.run_cost)}});
    }
    return {{"schema", "epochcast.compare.v1"}, {"logs", std::move(rows)}};
}

// Mean over the rows that have a forecast; NaN if none has.
double mean_error(std::span<const Comparison> comparisons) {
    double sum = 0;
    int count = 0;
    for (const Comparison& row : comparisons) {
        if (std::isnan(row.error())) continue;
        sum += row.error();
        ++count;
    }
    return count == 0 ? absent : sum / count;
}

int compare(Context& context, std::span<const std::filesystem::path> named) {
    const auto site = load_site_with_classes(context);
    if (!site) return fail(context, site.error());
    std::vector<std::string> problems;
    const auto table =
        read_forecast_dir(site.value().config.forecast_dir, context.environment.unix_s, problems);
    for (const std::string& problem : problems) complain(context, problem);
    if (!table) return fail(context, table.error());
    std::vector<std::string> unreadable;
    const auto files = find_logs(named, unreadable);
    if (!files) return fail(context, files.error());
    for (const std::string& problem : unreadable) complain(context, problem);
    std::vector<Comparison> comparisons;
    for (const std::filesystem::path& file : files.value()) {
        const auto log = read_log(file);
        if (!log) return fail(context, log.error());
        comparisons.push_back(compare_log(site.value(), table.value(), log.value()));
    }
    const double error = mean_error(comparisons);
    if (context.as_json) {
        print_json(context, comparisons_json(comparisons));
    } else {
        context.out << comparisons_text(comparisons);
        if (!std::isnan(error)) {
            context.out << fmt::format("\n  mean error of the forecasts: {:.1f} %\n", error * 100);
        }
    }
    if (!std::isnan(error)) return exit_ok;
    complain(context, "no forecast file has a forecast for these tasks on these nodes");
    return exit_negative;
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
    auto files = std::make_shared<std::vector<std::filesystem::path>>();
    CLI::App* verb =
        app.add_subcommand("compare", "Compare epoch logs with what was forecast for them");
    verb->add_option("FILE", *files, "Epoch logs (*.h5) or folders of them")->required();
    verb->add_flag("--json", context.as_json, "Print JSON");
    verb->footer(
        "Forecasts are those of the forecast files as they are now; measured is the mean over\n"
        "steady epochs; cost is price_per_node_hour x nodes x hours.\n"
        "Exit code 1: nothing was forecast for any of them.\n"
        "Example: epochcast compare epoch-logs/1000/demo-12.cnn.r0.h5");
    verb->callback([&context, files] { context.exit_code = compare(context, *files); });
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/table_text.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "slurm_view/hostlist.hpp"

namespace epochcast {

namespace {

std::string joined(const std::vector<std::string>& parts, const char* separator) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : separator) + plain(part);
    return text;
}

std::string class_table(const ForecastTable& forecasts) {
    Table table;
    table.column("class", Table::Align::left);
    table.column("price per node hour");
    table.column("FLOP rate");
    table.column("cores");
    table.column("memory");
    table.column("nodes", Table::Align::left);
    for (const NodeClass& node_class : forecasts.classes) {
        table.row({plain(node_class.name),
                   number_cell(price_of_node(node_class, 0)),
                   flop_cell(node_class.flop_rate, "FLOP/s"),
                   node_class.cores == 0 ? "-" : std::to_string(node_class.cores),
                   bytes_cell(node_class.memory_bytes),
                   plain(compress_hostlist(node_class.nodes), 400)});
    }
    return table.text();
}

std::string partition_table(const ForecastTable& forecasts) {
    Table table;
    table.column("partition", Table::Align::left);
    table.column("mode", Table::Align::left);
    table.column("policies", Table::Align::left);
    for (const PartitionRule& rule : forecasts.partitions) {
        const std::string policies = joined(rule.allowed_policies, "; ");
        table.row({plain(rule.name), to_text(rule.mode), policies.empty() ? "all" : policies});
    }
    return table.text();
}

std::string task_table(const ForecastTable& forecasts) {
    Table table;
    table.column("task", Table::Align::left);
    table.column("of", Table::Align::left);
    table.column("class", Table::Align::left);
    for (const char* heading : {"nodes", "per epoch", "90 % interval"}) table.column(heading);
    table.column("basis", Table::Align::left);
    for (const TaskForecasts& task : forecasts.tasks) {
        for (const PlacementForecast& placement : task.placements) {
            const Forecast& forecast = placement.forecast;
            table.row({plain(task.task.name),
                       plain(task.task.scope),
                       plain(forecasts.classes.at(placement.class_index).name),
                       std::to_string(placement.nodes),
                       duration_cell(forecast.epoch.time_s),
                       interval_cell(forecast.epoch_low_s, forecast.epoch_high_s),
                       plain(forecast.basis, 200)});
        }
    }
    return table.text();
}

}  // namespace

const char* to_text(Mode mode) {
    switch (mode) {
        case Mode::off:
            return "off";
        case Mode::shadow:
            return "shadow";
        case Mode::on:
            return "on";
    }
    return "unknown";
}

std::string age_text(const ForecastTable& table, std::int64_t now_unix_s) {
    const auto written_ns = static_cast<std::uint64_t>(table.written_unix_s) * 1'000'000'000;
    const std::int64_t age_s = now_unix_s - table.written_unix_s;
    std::string text = "written " + time_cell(written_ns) + ", ";
    text += age_s < 0 ? human_duration(static_cast<double>(-age_s)) + " in the future"
                      : human_duration(static_cast<double>(age_s)) + " ago";
    if (table.max_age_s == 0) return text + ", valid without limit";
    const std::int64_t left_s = table.max_age_s - age_s;
    if (left_s < 0) return text + ", stale: write it again with `epochcast forecast write`";
    return text + ", valid for another " + human_duration(static_cast<double>(left_s));
}

std::string forecast_table_text(const ForecastTable& table, std::int64_t now_unix_s) {
    std::string text =
        "service " + plain(table.service) + ": " + age_text(table, now_unix_s) + "\n";
    text += "default policy: ";
    text += table.default_policy.empty() ? "none, jobs without a policy are not steered"
                                         : plain(table.default_policy);
    text += "; decisions: ";
    text += table.decision_dir.empty() ? "not recorded" : plain(table.decision_dir, 200);
    text += "\n\n" + class_table(table);
    text += table.partitions.empty() ? "\n  no partition is configured: all are off\n"
                                     : "\n" + partition_table(table);
    text += table.tasks.empty() ? "\n  no task has a forecast yet\n" : "\n" + task_table(table);
    return text;
}

Json forecast_table_json(const ForecastTable& table, std::int64_t now_unix_s) {
    Json document = {{"service", table.service},
                     {"written_unix_s", table.written_unix_s},
                     {"age_s", now_unix_s - table.written_unix_s},
                     {"max_age_s", table.max_age_s},
                     {"default_policy", json_text(table.default_policy)},
                     {"decision_dir", json_text(table.decision_dir)},
                     {"classes", Json::array()},
                     {"partitions", Json::array()},
                     {"tasks", Json::array()}};
    for (const NodeClass& node_class : table.classes) {
        document["classes"].push_back(
            {{"class", node_class.name},
             {"nodes", node_class.nodes},
             {"flop_rate_flop_per_s", json_number(node_class.flop_rate)},
             {"price_per_node_hour", json_number(price_of_node(node_class, 0))},
             {"price_per_device_hour", json_number(node_class.price_per_device_hour)},
             {"device", json_text(node_class.device)},
             {"devices_per_node", node_class.devices_per_node},
             {"cores", node_class.cores == 0 ? Json() : Json(node_class.cores)},
             {"memory_bytes", json_count(node_class.memory_bytes)}});
    }
    for (const PartitionRule& rule : table.partitions) {
        document["partitions"].push_back({{"partition", rule.name},
                                          {"mode", to_text(rule.mode)},
                                          {"policies", rule.allowed_policies}});
    }
    for (const TaskForecasts& task : table.tasks) {
        Json placements = Json::array();
        for (const PlacementForecast& placement : task.placements) {
            placements.push_back({{"class", table.classes.at(placement.class_index).name},
                                  {"nodes", placement.nodes},
                                  {"forecast", json_forecast(placement.forecast)}});
        }
        document["tasks"].push_back({{"task", json_task(task.task)}, {"placements", placements}});
    }
    return document;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Writes a forecast file for the Slurm tests from the command line, without the epochcast command.
// Refuses what it does not understand. Use:
//
//   write_forecast DIR [WORD=VALUE]...
//     partition=NAME:off|shadow|on[:POLICY]  what the shim does there; POLICY: the only allowed one
//     class=NAME:PRICE:NODE[+NODE]...        a node class with its price per node hour
//     task=NAME:CLASS:NODES:SECONDS          seconds per epoch of a task on so many nodes of a
//     class (of three recorded jobs)  set_limits=yes|no  service=NAME  default_policy=POLICY  decision_dir=PATH  age=SECONDS  max_age=SECONDS

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/text.hpp"
#include "forecast_file/forecast_file.hpp"

namespace {

using namespace epochcast;

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "write_forecast: %s\n", message.c_str());
    std::exit(2);
}

double number(std::string_view text) {
    const auto value = parse_number("value", text, 0, 1e12);
    if (!value) fail(value.error().message);
    return value.value();
}

Mode mode(std::string_view text) {
    if (text == "off") return Mode::off;
    if (text == "shadow") return Mode::shadow;
    if (text == "on") return Mode::on;
    fail("mode '" + std::string(text) + "' is none of off, shadow, on");
}

std::uint32_t class_index(const ForecastTable& table, std::string_view name) {
    for (std::uint32_t i = 0; i < table.classes.size(); ++i)
        if (table.classes[i].name == name) return i;
    fail("class '" + std::string(name) + "' is not given before it is used");
}

Forecast forecast(double epoch_s) {
    Forecast result;
    result.epoch.time_s = epoch_s;
    result.mean_all.time_s = epoch_s;
    result.epoch_low_s = epoch_s * 0.9;
    result.epoch_high_s = epoch_s * 1.1;
    result.startup_s = 1;
    result.samples_per_epoch = 10000;
    result.records = 4;
    result.basis = "from 4 epochs on this class";
    return result;
}

// Tasks of any user: scope "cluster".
void add_task(ForecastTable& table, const std::vector<std::string_view>& parts) {
    if (parts.size() != 4) fail("task=NAME:CLASS:NODES:SECONDS is wanted");
    const TaskKey key{"cluster", std::string(parts[0])};
    auto task = std::ranges::find(table.tasks, key, &TaskForecasts::task);
    if (task == table.tasks.end())
        task = table.tasks.insert(table.tasks.end(), TaskForecasts{key, {}, 3});
    task->placements.push_back({class_index(table, parts[1]),
                                static_cast<std::uint32_t>(number(parts[2])),
                                forecast(number(parts[3]))});
}

void add(ForecastTable& table, std::string_view word, std::string_view value) {
    const std::vector<std::string_view> parts = split(value, ':');
    if (word == "partition" && (parts.size() == 2 || parts.size() == 3)) {
        PartitionRule rule{std::string(parts[0]), mode(parts[1]), {}};
        if (parts.size() == 3) rule.allowed_policies.emplace_back(parts[2]);
        table.partitions.push_back(rule);
    } else if (word == "class" && parts.size() == 3) {
        NodeClass node_class;
        node_class.name = parts[0];
        node_class.price_per_node_hour = number(parts[1]);
        for (const std::string_view node : split(parts[2], '+'))
            node_class.nodes.emplace_back(node);
        table.classes.push_back(node_class);
    } else if (word == "task") {
        add_task(table, parts);
    } else if (word == "service") {
        table.service = value;
    } else if (word == "set_limits") {
        table.settings.set_limits = value == "yes";
    } else if (word == "default_policy") {
        table.default_policy = value;
    } else if (word == "decision_dir") {
        table.decision_dir = value;
    } else if (word == "age") {
        table.written_unix_s -= static_cast<std::int64_t>(number(value));
    } else if (word == "max_age") {
        table.max_age_s = static_cast<std::uint32_t>(number(value));
    } else {
        fail("'" + std::string(word) + "=" + std::string(value) + "' is not understood");
    }
}

void sort(ForecastTable& table) {
    for (TaskForecasts& task : table.tasks)
        std::ranges::sort(task.placements, {}, [](const PlacementForecast& placement) {
            return std::pair(placement.class_index, placement.nodes);
        });
    std::ranges::sort(table.tasks, {}, &TaskForecasts::task);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("use: write_forecast DIR [WORD=VALUE]...");
    ForecastTable table;
    table.service = "test";
    table.written_unix_s = std::time(nullptr);
    for (int i = 2; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const std::size_t equals = argument.find('=');
        if (equals == argument.npos) fail("'" + std::string(argument) + "' is not WORD=VALUE");
        add(table, argument.substr(0, equals), argument.substr(equals + 1));
    }
    sort(table);
    const auto written = write_forecast_file(argv[1], table);
    if (!written) fail(written.error().message);
    std::puts(written.value().c_str());
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Writes a forecast file for the Slurm tests from the command line, without the epochcast command.
// Refuses what it does not understand. Use:
//
//   write_forecast DIR [WORD=VALUE]...
//     partition=NAME:off|shadow|on[:POLICY]  what the shim does there; POLICY: the only allowed one
//     class=NAME:PRICE:NODE[+NODE]...        a node class with its price per node hour
//     gpus=CLASS:TYPE:COUNT                  GPUs of each of its nodes
//     gpu_price=CLASS:PRICE                  per GPU hour, instead of the price per node hour
//     task=NAME:CLASS:NODES[xGPUS]:SECONDS   seconds per epoch of a task on so many nodes of a
//                                            class, with so many GPUs of each
//     plan=JOB:CLASS:ORDER[:SECONDS]         the job's place in the queue plan, fresh for SECONDS
//     (60) ping=NODE:ok|failed                    the newest ping of a node, just now
//     free=NODE:SECONDS:forecast|limit       when its jobs will have ended, from now on
//     service=NAME  default_policy=POLICY  decision_dir=PATH  age=SECONDS  max_age=SECONDS
//     set_limits=1  site_factor_most=N  wait_most=SECONDS

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

NodeState& state_of(ForecastTable& table, std::string_view node) {
    const auto found = std::ranges::find(table.node_states, node, &NodeState::node);
    if (found != table.node_states.end()) return *found;
    return table.node_states.emplace_back(NodeState{std::string(node), 0, true, 0, false});
}

// "2x4": nodes and GPUs per node.
void read_counts(std::string_view text, PlacementForecast& placement) {
    const std::vector<std::string_view> counts = split(text, 'x');
    if (counts.size() > 2) fail("'" + std::string(text) + "' is not NODES or NODESxGPUS");
    placement.nodes = static_cast<std::uint32_t>(number(counts[0]));
    if (counts.size() == 2)
        placement.devices_per_node = static_cast<std::uint32_t>(number(counts[1]));
}

// The words that tell what the session service saw and planned. False: another word.
bool add_view(ForecastTable& table,
              std::string_view word,
              const std::vector<std::string_view>& parts) {
    const std::int64_t now_unix_s = std::time(nullptr);
    if (word == "plan" && (parts.size() == 3 || parts.size() == 4)) {
        const std::int64_t life_s =
            parts.size() == 4 ? static_cast<std::int64_t>(number(parts[3])) : 60;
        table.plan.push_back({static_cast<std::uint32_t>(number(parts[0])),
                              class_index(table, parts[1]),
                              static_cast<std::uint32_t>(number(parts[2])),
                              now_unix_s + 60,
                              now_unix_s,
                              now_unix_s + life_s});
    } else if (word == "ping" && parts.size() == 2 && (parts[1] == "ok" || parts[1] == "failed")) {
        NodeState& state = state_of(table, parts[0]);
        state.pinged_unix_s = now_unix_s;
        state.answered = parts[1] == "ok";
    } else if (word == "free" && parts.size() == 3 &&
               (parts[2] == "forecast" || parts[2] == "limit")) {
        NodeState& state = state_of(table, parts[0]);
        state.free_unix_s = now_unix_s + static_cast<std::int64_t>(number(parts[1]));
        state.is_forecast = parts[2] == "forecast";
    } else if (word == "gpus" && parts.size() == 3) {
        NodeClass& node_class = table.classes[class_index(table, parts[0])];
        node_class.device = parts[1];
        node_class.devices_per_node = static_cast<std::uint32_t>(number(parts[2]));
    } else if (word == "gpu_price" && parts.size() == 2) {
        NodeClass& node_class = table.classes[class_index(table, parts[0])];
        node_class.price_per_node_hour = absent;
        node_class.price_per_device_hour = number(parts[1]);
    } else {
        return false;
    }
    return true;
}

// Tasks of any user: scope "cluster".
void add_task(ForecastTable& table, const std::vector<std::string_view>& parts) {
    if (parts.size() != 4) fail("task=NAME:CLASS:NODES:SECONDS is wanted");
    const TaskKey key{"cluster", std::string(parts[0])};
    auto task = std::ranges::find(table.tasks, key, &TaskForecasts::task);
    if (task == table.tasks.end())
        task = table.tasks.insert(table.tasks.end(), TaskForecasts{key, {}, 3});
    PlacementForecast placement{class_index(table, parts[1]), 1, forecast(number(parts[3]))};
    read_counts(parts[2], placement);
    task->placements.push_back(placement);
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
    } else if (word == "default_policy") {
        table.default_policy = value;
    } else if (word == "decision_dir") {
        table.decision_dir = value;
    } else if (word == "age") {
        table.written_unix_s -= static_cast<std::int64_t>(number(value));
    } else if (word == "max_age") {
        table.max_age_s = static_cast<std::uint32_t>(number(value));
    } else if (word == "set_limits") {
        table.settings.set_limits = value == "1";
    } else if (word == "site_factor_most") {
        table.settings.site_factor_most = static_cast<std::uint32_t>(number(value));
    } else if (word == "wait_most") {
        table.settings.wait_most_s = static_cast<std::uint32_t>(number(value));
    } else if (!add_view(table, word, parts)) {
        fail("'" + std::string(word) + "=" + std::string(value) + "' is not understood");
    }
}

void sort(ForecastTable& table) {
    for (TaskForecasts& task : table.tasks)
        std::ranges::sort(task.placements, {}, &PlacementForecast::key);
    std::ranges::sort(table.tasks, {}, &TaskForecasts::task);
    std::ranges::sort(table.plan, {}, &PlannedJob::job_id);
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

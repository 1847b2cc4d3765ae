// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/table_check.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/text.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

namespace {

constexpr std::size_t max_name_bytes = 255;    // a host name's limit
constexpr std::size_t max_basis_bytes = 1023;  // a sentence
constexpr std::int64_t last_second =
    253402300799;  // 9999-12-31: sums of seconds stay far from 2^63

Error bad(std::string message) { return Error{ErrorKind::bad_input, std::move(message)}; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool is_name(std::string_view text) {
    const auto is_allowed = [](char c) { return !is_control(c) && c != ' ' && c != ','; };
    return !text.empty() && text.size() <= max_name_bytes && std::ranges::all_of(text, is_allowed);
}

// It becomes a file name in the service's folder and must stay in there.
bool is_service(std::string_view text) {
    const auto is_allowed = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= 64 && text[0] != '.' &&
           std::ranges::all_of(text, is_allowed);
}

bool is_decision_dir(std::string_view text) {
    return text.empty() || (text[0] == '/' && text.size() <= max_decision_dir_bytes &&
                            std::ranges::none_of(text, is_control));
}

bool is_policy_or_off(std::string_view text) { return text == "off" || parse_policy(text).ok(); }

bool is_quantity(double value) {
    return std::isnan(value) || (value >= 0 && value <= max_quantity);
}

bool is_positive(double value) { return is_quantity(value) && value != 0; }

Result<void> check_head(const ForecastTable& table) {
    if (!is_service(table.service)) {
        return bad("service " + epochcast::quoted(table.service) +
                   ": give 1 to 64 of the characters A-Z a-z 0-9 . _ -, not beginning with a dot");
    }
    if (table.written_unix_s < 0 || table.written_unix_s > last_second) {
        return bad("time of writing " + std::to_string(table.written_unix_s) +
                   " is outside the years 1970 to 9999");
    }
    if (!is_decision_dir(table.decision_dir)) {
        return bad("decision_dir " + epochcast::quoted(table.decision_dir) +
                   ": give an absolute path of at most 1023 bytes");
    }
    if (!table.default_policy.empty() && !is_policy_or_off(table.default_policy)) {
        return bad("default_policy " + epochcast::quoted(table.default_policy) +
                   " is not a policy");
    }
    return {};
}

Result<void> check_class(const NodeClass& node_class) {
    const std::string name = "class " + epochcast::quoted(node_class.name);
    if (!is_positive(node_class.flop_rate)) {
        return bad(name + ": FLOP rate " + std::to_string(node_class.flop_rate) +
                   " is not positive");
    }
    if (!is_quantity(node_class.price_per_node_hour)) {
        return bad(name + ": price " + std::to_string(node_class.price_per_node_hour) +
                   " is not a price");
    }
    if (!is_quantity(node_class.price_per_device_hour)) {
        return bad(name + ": price of a device " +
                   std::to_string(node_class.price_per_device_hour) + " is not a price");
    }
    if (!std::isnan(node_class.price_per_node_hour) &&
        !std::isnan(node_class.price_per_device_hour)) {
        return bad(name + " has two prices, one of a node and one of a device: one is allowed");
    }
    if (!node_class.device.empty() && !is_name(node_class.device)) {
        return bad(name + ": device " + epochcast::quoted(node_class.device) + " is not a name");
    }
    return {};
}

Result<void> check_classes(const std::vector<NodeClass>& classes) {
    std::unordered_set<std::string_view> names;
    std::unordered_set<std::string_view> nodes;
    for (const NodeClass& node_class : classes) {
        if (!is_name(node_class.name)) {
            return bad("class name " + epochcast::quoted(node_class.name) + " is not a name");
        }
        if (!names.insert(node_class.name).second) {
            return bad("class " + epochcast::quoted(node_class.name) + " is there twice");
        }
        for (const std::string& node : node_class.nodes) {
            if (!is_name(node))
                return bad("node name " + epochcast::quoted(node) + " is not a name");
            if (!nodes.insert(node).second)
                return bad("node " + epochcast::quoted(node) + " is there twice");
        }
        if (auto checked = check_class(node_class); !checked) return checked;
    }
    return {};
}

Result<void> check_partitions(const std::vector<PartitionRule>& partitions) {
    std::unordered_set<std::string_view> names;
    for (const PartitionRule& partition : partitions) {
        const std::string name = "partition " + epochcast::quoted(partition.name);
        if (!is_name(partition.name)) return bad(name + " is not a name");
        if (!names.insert(partition.name).second) return bad(name + " is there twice");
        if (partition.mode > Mode::on) return bad(name + ": unknown mode");
        for (const std::string& policy : partition.allowed_policies) {
            if (!is_policy_or_off(policy)) {
                return bad(name + ": " + epochcast::quoted(policy) + " is not a policy");
            }
        }
    }
    return {};
}

bool has_good_means(const EpochMeans& means) {
    return is_positive(means.time_s) && is_quantity(means.cpu_s) &&
           is_quantity(means.peak_memory_bytes) && is_quantity(means.disk_read_bytes) &&
           is_quantity(means.disk_written_bytes) && is_quantity(means.flop) &&
           is_quantity(means.flop_rate);
}

// What is wrong with a placement, as the end of a sentence; empty: nothing.
std::string fault_of(const PlacementForecast& placement, std::size_t class_count) {
    const Forecast& forecast = placement.forecast;
    if (placement.class_index >= class_count) {
        return "class index " + std::to_string(placement.class_index) + " of " +
               std::to_string(class_count) + " classes";
    }
    if (placement.nodes == 0) return "0 nodes";
    if (!has_good_means(forecast.epoch) || !has_good_means(forecast.mean_all)) {
        return "a mean that is negative, infinite or out of range";
    }
    if (!is_quantity(forecast.epoch_low_s) || !is_quantity(forecast.epoch_high_s)) {
        return "an interval that is negative, infinite or out of range";
    }
    if (!is_quantity(forecast.startup_s) || std::isnan(forecast.startup_s)) {
        return "a start-up time that is not one";
    }
    if (forecast.rule < Rule::same_placement || forecast.rule > Rule::similar_task) {
        return "unknown rule of evidence";
    }
    if (forecast.basis.size() > max_basis_bytes ||
        std::ranges::any_of(forecast.basis, is_control)) {
        return "a basis that is no line of text";
    }
    return {};
}

Result<void> check_task(const TaskForecasts& task, std::size_t class_count) {
    const auto name = [&] {
        return "task " + epochcast::quoted(task.task.scope + " " + task.task.name);
    };
    if (!is_name(task.task.scope) || !parse_task_name(task.task.name)) {
        return bad(name() + " is not a task key");
    }
    const PlacementForecast* previous = nullptr;
    for (const PlacementForecast& placement : task.placements) {
        const std::string fault = fault_of(placement, class_count);
        if (!fault.empty()) return bad(name() + ": " + fault);
        if (previous != nullptr && previous->key() >= placement.key()) {
            return bad(name() + ": placements are not sorted by class, nodes and devices");
        }
        previous = &placement;
    }
    return {};
}

bool is_moment(std::int64_t unix_s) { return unix_s >= 0 && unix_s <= last_second; }

Result<void> check_node_states(const std::vector<NodeState>& states) {
    std::unordered_set<std::string_view> nodes;
    for (const NodeState& state : states) {
        if (!is_name(state.node) || !nodes.insert(state.node).second) {
            return bad("state of node " + epochcast::quoted(state.node) +
                       ": not a name, or there twice");
        }
        if (!is_moment(state.pinged_unix_s) || !is_moment(state.free_unix_s)) {
            return bad("state of node " + epochcast::quoted(state.node) +
                       " has a time outside the years 1970 to 9999");
        }
    }
    return {};
}

Result<void> check_plan(const std::vector<PlannedJob>& plan, std::size_t class_count) {
    const PlannedJob* previous = nullptr;
    for (const PlannedJob& job : plan) {
        const std::string name = "planned job " + std::to_string(job.job_id);
        if (job.class_index >= class_count) return bad(name + ": no such class");
        if (!is_moment(job.start_unix_s) || !is_moment(job.planned_unix_s) ||
            !is_moment(job.fresh_until_unix_s)) {
            return bad(name + " has a time outside the years 1970 to 9999");
        }
        if (previous != nullptr && previous->job_id >= job.job_id) {
            return bad("planned jobs are not sorted by id");
        }
        previous = &job;
    }
    return {};
}

}  // namespace

Result<void> check_forecast_table(const ForecastTable& table) {
    if (auto checked = check_head(table); !checked) return checked;
    if (auto checked = check_classes(table.classes); !checked) return checked;
    if (auto checked = check_partitions(table.partitions); !checked) return checked;
    if (auto checked = check_node_states(table.node_states); !checked) return checked;
    if (auto checked = check_plan(table.plan, table.classes.size()); !checked) return checked;
    const TaskForecasts* previous = nullptr;
    for (const TaskForecasts& task : table.tasks) {
        if (auto checked = check_task(task, table.classes.size()); !checked) return checked;
        if (previous != nullptr && previous->task >= task.task) {
            return bad("tasks are not sorted by key");
        }
        previous = &task;
    }
    return {};
}

}  // namespace epochcast

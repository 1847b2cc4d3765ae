// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/merge.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/text.hpp"

namespace epochcast {

namespace {

// The classes of two tables under one numbering.
struct MergedClasses {
    std::vector<const NodeClass*> added;  // of the older table, in its order
    std::vector<std::uint32_t> index_of;  // older class index → merged class index
    std::string contradiction;            // empty: none
};

bool have_same_nodes(const NodeClass& a, const NodeClass& b) {
    std::vector<std::string_view> left(a.nodes.begin(), a.nodes.end());
    std::vector<std::string_view> right(b.nodes.begin(), b.nodes.end());
    std::ranges::sort(left);
    std::ranges::sort(right);
    return left == right;
}

MergedClasses merge_classes(const std::vector<NodeClass>& newer,
                            const std::vector<NodeClass>& older) {
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    std::unordered_map<std::string_view, std::uint32_t> by_node;
    for (std::uint32_t i = 0; i < newer.size(); ++i) {
        by_name.emplace(newer[i].name, i);
        for (const std::string& node : newer[i].nodes) by_node.emplace(node, i);
    }
    MergedClasses merged;
    for (const NodeClass& node_class : older) {
        const auto same = by_name.find(node_class.name);
        if (same != by_name.end()) {
            if (!have_same_nodes(newer[same->second], node_class)) {
                merged.contradiction =
                    "class " + epochcast::quoted(node_class.name) + " has other nodes there";
                return merged;
            }
            merged.index_of.push_back(same->second);
            continue;
        }
        for (const std::string& node : node_class.nodes) {
            const auto taken = by_node.find(node);
            if (taken == by_node.end()) continue;
            merged.contradiction = "node " + epochcast::quoted(node) + " is in class " +
                                   epochcast::quoted(newer[taken->second].name) + " there";
            return merged;
        }
        merged.index_of.push_back(static_cast<std::uint32_t>(newer.size() + merged.added.size()));
        merged.added.push_back(&node_class);
    }
    return merged;
}

bool comes_before(const PlacementForecast& a, const PlacementForecast& b) {
    return a.key() < b.key();
}

// Adds the older placements that the newer ones lack; both and the result are sorted.
void merge_placements(std::vector<PlacementForecast>& newer, std::vector<PlacementForecast> older) {
    std::ranges::sort(older, comes_before);
    std::vector<PlacementForecast> merged;
    merged.reserve(newer.size() + older.size());
    std::set_union(std::make_move_iterator(newer.begin()),
                   std::make_move_iterator(newer.end()),
                   std::make_move_iterator(older.begin()),
                   std::make_move_iterator(older.end()),
                   std::back_inserter(merged),
                   comes_before);  // takes the first range's where both have one
    newer = std::move(merged);
}

void merge_tasks(std::vector<TaskForecasts>& newer,
                 const std::vector<TaskForecasts>& older,
                 const std::vector<std::uint32_t>& index_of) {
    const std::size_t known = newer.size();
    for (TaskForecasts task : older) {
        for (PlacementForecast& placement : task.placements) {
            placement.class_index = index_of[placement.class_index];
        }
        const auto known_end = newer.begin() + static_cast<std::ptrdiff_t>(known);
        const auto same = std::lower_bound(
            newer.begin(), known_end, task.task, [](const TaskForecasts& a, const TaskKey& key) {
                return a.task < key;
            });
        if (same != known_end && same->task == task.task) {
            same->runs = std::max(same->runs, task.runs);
            merge_placements(same->placements, std::move(task.placements));
        } else {
            std::ranges::sort(task.placements, comes_before);
            newer.push_back(std::move(task));
        }
    }
    std::ranges::sort(newer, {}, &TaskForecasts::task);
}

void merge_partitions(std::vector<PartitionRule>& newer, const std::vector<PartitionRule>& older) {
    const std::size_t known = newer.size();
    for (const PartitionRule& partition : older) {
        const auto known_end = newer.begin() + static_cast<std::ptrdiff_t>(known);
        const bool is_known = std::any_of(newer.begin(), known_end, [&](const PartitionRule& rule) {
            return rule.name == partition.name;
        });
        if (!is_known) newer.push_back(partition);
    }
}

void merge_node_states(std::vector<NodeState>& newer, const std::vector<NodeState>& older) {
    std::unordered_set<std::string> known;
    for (const NodeState& state : newer) known.insert(state.node);
    for (const NodeState& state : older) {
        if (!known.contains(state.node)) newer.push_back(state);
    }
}

void merge_plan(std::vector<PlannedJob>& newer,
                std::vector<PlannedJob> older,
                const std::vector<std::uint32_t>& index_of) {
    for (PlannedJob& job : older) job.class_index = index_of[job.class_index];
    std::vector<PlannedJob> merged;
    const auto by_id = [](const PlannedJob& a, const PlannedJob& b) { return a.job_id < b.job_id; };
    std::ranges::set_union(newer, older, std::back_inserter(merged), by_id);
    newer = std::move(merged);
}

}  // namespace

std::string merge_older(ForecastTable& newer, const ForecastTable& older) {
    const MergedClasses classes = merge_classes(newer.classes, older.classes);
    if (!classes.contradiction.empty()) return classes.contradiction;
    for (const NodeClass* added : classes.added) newer.classes.push_back(*added);
    merge_partitions(newer.partitions, older.partitions);
    merge_tasks(newer.tasks, older.tasks, classes.index_of);
    merge_node_states(newer.node_states, older.node_states);
    merge_plan(newer.plan, older.plan, classes.index_of);
    return {};
}

}  // namespace epochcast

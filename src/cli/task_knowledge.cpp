// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/task_knowledge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "cli/words.hpp"
#include "core/forecast/forecast_index.hpp"
#include "core/forecast/task_runs.hpp"
#include "core/text.hpp"
#include "forecast_file/forecast_file.hpp"
#include "history/history.hpp"

namespace epochcast {

namespace {

// Insertions, deletions and replacements between the two (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

// The key under which the name is known: the user's own before the cluster's.
template <class Keys>
TaskKey known_key(const Keys& keys, const std::string& name, std::uint32_t uid) {
    const TaskKey own{user_scope(uid), name};
    const TaskKey shared{"cluster", name};
    const bool has_own = std::ranges::find(keys, own) != keys.end();
    const bool has_shared = std::ranges::find(keys, shared) != keys.end();
    return has_own || !has_shared ? own : shared;
}

template <class Keys>
TaskKnowledge knowledge_of(const Keys& keys, const std::string& name, std::uint32_t uid) {
    TaskKnowledge knowledge;
    knowledge.task = known_key(keys, name, uid);
    std::set<std::string> names;
    for (const TaskKey& key : keys) {
        if (key.scope == user_scope(uid) || key.scope == "cluster") names.insert(key.name);
    }
    knowledge.near_names = similar_names(name, names);
    return knowledge;
}

// Most devices of a node of each class that any series of the history used.
std::map<std::string, std::uint32_t> devices_seen(const History& history) {
    std::map<std::string, std::uint32_t> seen;
    for (const Series& series : history.series()) {
        auto& most = seen[series.placement.node_class];
        most = std::max(most, series.placement.devices_per_node);
    }
    return seen;
}

// Adds the class's placements, each with its forecast; without any its smallest one without.
template <class LookUp>
void add_class(TaskKnowledge& knowledge,
               std::uint32_t class_index,
               const KnowledgeRequest& request,
               std::span<const std::uint32_t> devices,
               LookUp look_up) {
    const std::size_t before = knowledge.placements.size();
    for (const std::uint32_t nodes : request.nodes) {
        if (nodes > knowledge.classes[class_index].nodes.size()) break;
        for (const std::uint32_t count : devices) {
            knowledge.placements.push_back({class_index, nodes, count, look_up(nodes, count)});
        }
    }
    if (knowledge.placements.size() > before) return;
    knowledge.placements.push_back({class_index, request.nodes.front(), 0, std::nullopt});
}

TaskKnowledge from_history(const Site& site,
                           const History& history,
                           const KnowledgeRequest& request) {
    const auto runs = task_runs(history.series());
    std::set<TaskKey> keys;
    for (const auto& [key, of_task] : runs) keys.insert(key);
    TaskKnowledge knowledge = knowledge_of(keys, request.task, request.uid);
    knowledge.classes = site.classes;
    knowledge.source = "the history " + site.config.history_dir.string();
    for (const Series& series : history.series()) {
        if (series.task == knowledge.task) knowledge.known_nodes.insert(series.placement.nodes);
    }
    const ForecastIndex index(history.series(), site.classes);
    const auto known = runs.find(knowledge.task);
    const auto seen = devices_seen(history);
    for (std::uint32_t c = 0; c < site.classes.size(); ++c) {
        const std::string& name = site.classes[c].name;
        const auto most = seen.find(name);
        std::vector<std::uint32_t> devices = request.devices;
        std::erase_if(devices, [&](std::uint32_t count) {
            return count > std::max(most == seen.end() ? 0 : most->second,
                                    site.classes[c].devices_per_node);
        });
        if (request.devices.empty()) {
            devices = {known == runs.end() ? 0 : known->second.devices_on(name)};
        }
        add_class(knowledge, c, request, devices, [&](std::uint32_t nodes, std::uint32_t count) {
            return index.forecast(knowledge.task, std::nullopt, {name, nodes, count});
        });
    }
    return knowledge;
}

TaskKnowledge from_table(const Site& site,
                         const ForecastTable& table,
                         const KnowledgeRequest& request) {
    std::set<TaskKey> keys;
    for (const TaskForecasts& known : table.tasks) keys.insert(known.task);
    TaskKnowledge knowledge = knowledge_of(keys, request.task, request.uid);
    knowledge.classes = table.classes;
    knowledge.source = "the forecast files in " + site.config.forecast_dir.string();
    std::map<std::array<std::uint32_t, 3>, const Forecast*> forecasts;
    std::map<std::uint32_t, std::set<std::uint32_t>> devices_of;  // by class
    for (const TaskForecasts& known : table.tasks) {
        if (known.task != knowledge.task) continue;
        for (const PlacementForecast& placement : known.placements) {
            knowledge.known_nodes.insert(placement.nodes);
            forecasts[placement.key()] = &placement.forecast;
            devices_of[placement.class_index].insert(placement.devices_per_node);
        }
    }
    for (std::uint32_t c = 0; c < table.classes.size(); ++c) {
        const std::set<std::uint32_t>& known = devices_of[c];
        std::vector<std::uint32_t> devices = request.devices;
        std::erase_if(devices, [&](std::uint32_t count) { return !known.contains(count); });
        if (request.devices.empty()) devices = {known.empty() ? 0 : *known.rbegin()};
        add_class(knowledge, c, request, devices, [&](std::uint32_t nodes, std::uint32_t count) {
            const auto found = forecasts.find({c, nodes, count});
            return found == forecasts.end() ? std::nullopt
                                            : std::optional<Forecast>(*found->second);
        });
    }
    return knowledge;
}

// The history if its folder is there and can be read.
Result<History> open_existing(const std::filesystem::path& dir) {
    std::error_code failure;
    if (std::filesystem::exists(dir, failure)) return History::open(dir);
    return Error{ErrorKind::environment,
                 "history " + epochcast::quoted(dir.string(), 200) + " cannot be read: " +
                     (failure ? failure.message() : "there is no such folder")};
}

}  // namespace

bool TaskKnowledge::has_forecast() const {
    return std::ranges::any_of(
        placements, [](const KnownPlacement& placement) { return placement.forecast.has_value(); });
}

std::vector<std::string> similar_names(const std::string& name,
                                       const std::set<std::string>& known) {
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& other : known) {
        if (other == name) continue;
        const bool contains =
            other.find(name) != std::string::npos || name.find(other) != std::string::npos;
        const std::size_t distance = edit_distance(name, other);
        const bool is_near = distance <= std::max<std::size_t>(2, name.size() / 3);
        if (contains || is_near) near.emplace_back(distance, other);
    }
    std::ranges::sort(near);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 5); ++i) {
        names.push_back(near[i].second);
    }
    return names;
}

Result<TaskKnowledge> gather_knowledge(Context& context,
                                       const Site& site,
                                       const KnowledgeRequest& request) {
    const auto history = open_existing(site.config.history_dir);
    if (history) {
        for (const auto& problem : history.value().problems()) complain(context, problem);
        return from_history(site, history.value(), request);
    }
    std::vector<std::string> problems;
    const auto table =
        read_forecast_dir(site.config.forecast_dir, context.environment.unix_s, problems);
    if (table) return from_table(site, table.value(), request);
    return Error{table.error().kind,
                 history.error().message + "; " + table.error().message +
                     "; add logs with `epochcast history add` or set history_dir"};
}

std::vector<Candidate> candidates_of(const TaskKnowledge& knowledge) {
    std::vector<Candidate> candidates;
    candidates.reserve(knowledge.placements.size());
    for (const KnownPlacement& placement : knowledge.placements) {
        const NodeClass& node_class = knowledge.classes[placement.class_index];
        candidates.push_back({placement.class_index,
                              placement.nodes,
                              placement.forecast ? &*placement.forecast : nullptr,
                              price_of_node(node_class, placement.devices_per_node),
                              0,
                              placement.devices_per_node,
                              node_class.memory_bytes});
    }
    return candidates;
}

std::string no_forecast_text(const TaskKnowledge& knowledge, std::uint32_t nodes) {
    std::string text = "no forecast for task " + epochcast::quoted(knowledge.task.name, 128) +
                       " of " + knowledge.task.scope + " on " + plural(nodes, "node") + " in " +
                       knowledge.source + ": ";
    if (knowledge.classes.empty()) return text + "no node class is configured; add [[class]]";
    if (std::ranges::none_of(knowledge.classes, [nodes](const NodeClass& node_class) {
            return node_class.nodes.size() >= nodes;
        })) {
        return text + "no class has as many nodes";
    }
    if (!knowledge.known_nodes.empty()) {
        text += "it is known on";
        for (const std::uint32_t known : knowledge.known_nodes) text += " " + std::to_string(known);
        return text + " node(s) only; give one of these with --nodes";
    }
    text += "it never ran";
    if (knowledge.near_names.empty()) return text + "; `epochcast history show` lists what did";
    text += "; did you mean";
    for (std::size_t i = 0; i < knowledge.near_names.size(); ++i) {
        text += (i == 0 ? " " : ", ") + epochcast::quoted(knowledge.near_names[i], 128);
    }
    return text + "?";
}

}  // namespace epochcast

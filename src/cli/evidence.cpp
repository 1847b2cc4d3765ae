// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/evidence.hpp"

#include <algorithm>

#include "cli/words.hpp"
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
Evidence evidence_for(const Keys& keys, const std::string& name, std::uint32_t uid) {
    Evidence evidence;
    evidence.task = known_key(keys, name, uid);
    std::set<std::string> names;
    for (const TaskKey& key : keys) {
        if (key.scope == user_scope(uid) || key.scope == "cluster") names.insert(key.name);
    }
    evidence.near_names = similar_names(name, names);
    return evidence;
}

Evidence from_history(const Site& site,
                      const History& history,
                      const std::string& task,
                      std::uint32_t uid,
                      std::uint32_t nodes) {
    std::set<TaskKey> keys;
    for (const Series& series : history.series()) keys.insert(series.task);
    Evidence evidence = evidence_for(keys, task, uid);
    evidence.classes = site.classes;
    evidence.source = "the history " + site.config.history_dir.string();
    for (const Series& series : history.series()) {
        if (series.task == evidence.task) evidence.known_nodes.insert(series.placement.nodes);
    }
    for (const NodeClass& node_class : site.classes) {
        evidence.forecasts.push_back(forecast_epoch(history.series(),
                                                    evidence.task,
                                                    std::nullopt,
                                                    {node_class.name, nodes, 0},
                                                    site.classes));
    }
    return evidence;
}

Evidence from_table(const Site& site,
                    const ForecastTable& table,
                    const std::string& task,
                    std::uint32_t uid,
                    std::uint32_t nodes) {
    std::set<TaskKey> keys;
    for (const TaskForecasts& known : table.tasks) keys.insert(known.task);
    Evidence evidence = evidence_for(keys, task, uid);
    evidence.classes = table.classes;
    evidence.source = "the forecast files in " + site.config.forecast_dir.string();
    evidence.forecasts.resize(table.classes.size());
    for (const TaskForecasts& known : table.tasks) {
        if (known.task != evidence.task) continue;
        for (const PlacementForecast& placement : known.placements) {
            evidence.known_nodes.insert(placement.nodes);
            if (placement.nodes != nodes) continue;
            evidence.forecasts[placement.class_index] = placement.forecast;
        }
    }
    return evidence;
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

bool Evidence::has_forecast() const {
    return std::ranges::any_of(forecasts,
                               [](const auto& forecast) { return forecast.has_value(); });
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

Result<Evidence> gather_evidence(Context& context,
                                 const Site& site,
                                 const std::string& task,
                                 std::uint32_t uid,
                                 std::uint32_t nodes) {
    const auto history = open_existing(site.config.history_dir);
    if (history) {
        for (const auto& problem : history.value().problems()) complain(context, problem);
        return from_history(site, history.value(), task, uid, nodes);
    }
    std::vector<std::string> problems;
    const auto table =
        read_forecast_dir(site.config.forecast_dir, context.environment.unix_s, problems);
    if (table) return from_table(site, table.value(), task, uid, nodes);
    return Error{table.error().kind,
                 history.error().message + "; " + table.error().message +
                     "; add logs with `epochcast history add` or set history_dir"};
}

std::string no_forecast_text(const Evidence& evidence, std::uint32_t nodes) {
    std::string text = "no forecast for task " + epochcast::quoted(evidence.task.name, 128) +
                       " of " + evidence.task.scope + " on " + plural(nodes, "node") + " in " +
                       evidence.source + ": ";
    if (evidence.classes.empty()) return text + "no node class is configured; add [[class]]";
    if (!evidence.known_nodes.empty()) {
        text += "it is known on";
        for (const std::uint32_t known : evidence.known_nodes) text += " " + std::to_string(known);
        return text + " node(s) only; give one of these with --nodes";
    }
    text += "it never ran";
    if (evidence.near_names.empty()) return text + "; `epochcast history show` lists what did";
    text += "; did you mean";
    for (std::size_t i = 0; i < evidence.near_names.size(); ++i) {
        text += (i == 0 ? " " : ", ") + epochcast::quoted(evidence.near_names[i], 128);
    }
    return text + "?";
}

}  // namespace epochcast

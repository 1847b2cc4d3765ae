// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/table.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "decide/c_face.hpp"
#include "decide/folder.hpp"

using epochcast::copy_text;
using epochcast::guarded;
using epochcast::TaskForecasts;

namespace {

const TaskForecasts* find(const std::vector<TaskForecasts>& tasks,
                          std::string_view scope,
                          std::string_view name) {
    using Key = std::tuple<std::string_view, std::string_view>;
    const auto key_of = [](const TaskForecasts& task) {
        return Key(task.task.scope, task.task.name);
    };
    const Key wanted(scope, name);
    const auto found = std::ranges::lower_bound(tasks, wanted, {}, key_of);
    return found != tasks.end() && key_of(*found) == wanted ? &*found : nullptr;
}

// The service pings every 15 s: a few missed rounds, and nothing is known any more.
constexpr std::int64_t ping_life_s = 90;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

}  // namespace

epochcast_table::epochcast_table(std::shared_ptr<const epochcast::ForecastTable> forecasts)
    : owner(std::move(forecasts)), content(*owner) {
    for (std::size_t i = 0; i < content.classes.size(); ++i) {
        for (const std::string& node : content.classes[i].nodes) {
            class_of_node.emplace(node, static_cast<std::int32_t>(i));
            nodes_version = mixed(mixed(nodes_version, std::hash<std::string>()(node)), i);
        }
    }
    for (const epochcast::PartitionRule& rule : content.partitions) {
        Partition& partition = partitions[rule.name];
        partition.mode = static_cast<int>(rule.mode);
        partition.allows_all = rule.allowed_policies.empty();
        for (const std::string& policy : rule.allowed_policies) {
            const auto parsed = epochcast::parse_policy(policy);
            if (parsed) partition.allowed.push_back(parsed.value());
        }
    }
    note_pings();
    note_plan();
}

void epochcast_table::note_pings() {
    std::int64_t newest_unix_s = 0;
    for (const epochcast::NodeState& state : content.node_states) {
        newest_unix_s = std::max(newest_unix_s, state.pinged_unix_s);
    }
    std::size_t pinged = 0;
    for (const epochcast::NodeState& state : content.node_states) {
        if (state.pinged_unix_s == 0 || state.pinged_unix_s < newest_unix_s - ping_life_s) continue;
        ++pinged;
        if (!state.answered) failed_pings.insert(state.node);
    }
    if (failed_pings.size() * 5 > pinged) failed_pings.clear();
    for (const epochcast::NodeState& state : content.node_states) {
        if (failed_pings.contains(state.node)) {
            nodes_version = mixed(nodes_version, std::hash<std::string>()(state.node));
        }
    }
    if (!failed_pings.empty()) pings_fresh_until_unix_s = newest_unix_s + ping_life_s;
}

void epochcast_table::note_plan() {
    planned.reserve(content.plan.size());
    for (const epochcast::PartitionRule& rule : content.partitions) {
        plan_version = mixed(mixed(plan_version, std::hash<std::string>()(rule.name)),
                             static_cast<std::uint64_t>(rule.mode));
    }
    for (const epochcast::PlannedJob& job : content.plan) {
        planned.emplace(job.job_id, &job);
        plan_version = mixed(mixed(plan_version, job.job_id), job.order);
        plan_fresh_until_unix_s = std::max(plan_fresh_until_unix_s, job.fresh_until_unix_s);
    }
}

const TaskForecasts* epochcast_table::find_task(std::uint32_t uid, std::string_view name) const {
    char scope[16] = "user:";
    const char* end = std::to_chars(scope + 5, scope + sizeof scope, uid).ptr;
    const TaskForecasts* own =
        find(content.tasks, {scope, static_cast<std::size_t>(end - scope)}, name);
    return own != nullptr ? own : find(content.tasks, "cluster", name);
}

extern "C" {

epochcast_table_t* epochcast_table_read(const char* dir,
                                        int64_t now_unix_s,
                                        char* message,
                                        size_t message_size) {
    copy_text(message, message_size, "out of memory");
    return guarded(static_cast<epochcast_table_t*>(nullptr), [&] {
        epochcast::LastGood nothing;
        epochcast::FolderState state =
            epochcast::read_folder(epochcast::text_or_empty(dir), now_unix_s, nothing);
        copy_text(message, message_size, state.table != nullptr ? "" : state.line);
        return state.table.release();
    });
}

void epochcast_table_free(epochcast_table_t* table) { delete table; }

uint32_t epochcast_table_classes(const epochcast_table_t* table) {
    return table == nullptr ? 0 : static_cast<uint32_t>(table->content.classes.size());
}

const char* epochcast_table_class_name(const epochcast_table_t* table, uint32_t class_index) {
    if (class_index >= epochcast_table_classes(table)) return "";
    return table->content.classes[class_index].name.c_str();
}

int32_t epochcast_table_class_of_node(const epochcast_table_t* table, const char* node) {
    if (table == nullptr || node == nullptr) return -1;
    const auto found = table->class_of_node.find(node);
    return found == table->class_of_node.end() ? -1 : found->second;
}

int epochcast_table_mode(const epochcast_table_t* table, const char* partition) {
    if (table == nullptr || partition == nullptr) return EPOCHCAST_MODE_OFF;
    const auto found = table->partitions.find(partition);
    return found == table->partitions.end() ? EPOCHCAST_MODE_OFF : found->second.mode;
}

int epochcast_table_allows(const epochcast_table_t* table,
                           const char* partition,
                           const char* policy) {
    if (table == nullptr || partition == nullptr || policy == nullptr) return 0;
    return guarded(0, [&] {
        const auto found = table->partitions.find(partition);
        if (found == table->partitions.end() || found->second.allows_all) return 1;
        if (std::string_view(policy) == "off") return 1;
        const auto parsed = epochcast::parse_policy(policy);
        return parsed && std::ranges::count(found->second.allowed, parsed.value()) != 0 ? 1 : 0;
    });
}

int epochcast_table_ping_failed(const epochcast_table_t* table, const char* node) {
    if (table == nullptr || node == nullptr) return 0;
    return table->failed_pings.contains(node) ? 1 : 0;
}

uint64_t epochcast_table_nodes_version(const epochcast_table_t* table) {
    return table == nullptr ? 0 : table->nodes_version;
}

int64_t epochcast_table_pings_fresh_until(const epochcast_table_t* table) {
    return table == nullptr ? 0 : table->pings_fresh_until_unix_s;
}

int epochcast_table_set_limits(const epochcast_table_t* table) {
    return table != nullptr && table->content.settings.set_limits ? 1 : 0;
}

uint32_t epochcast_table_site_factor_most(const epochcast_table_t* table) {
    return table == nullptr ? 0 : table->content.settings.site_factor_most;
}

uint32_t epochcast_table_wait_most_s(const epochcast_table_t* table) {
    return table == nullptr ? 0 : table->content.settings.wait_most_s;
}

int epochcast_table_planned(const epochcast_table_t* table,
                            uint32_t job_id,
                            int64_t now_unix_s,
                            epochcast_planned_t* planned) {
    if (table == nullptr || planned == nullptr) return 0;
    const auto found = table->planned.find(job_id);
    if (found == table->planned.end()) return 0;
    const epochcast::PlannedJob& job = *found->second;
    if (job.fresh_until_unix_s < now_unix_s) return 0;
    *planned = {job.class_index,
                job.order,
                static_cast<uint32_t>(table->planned.size()),
                job.start_unix_s,
                job.planned_unix_s};
    return 1;
}

uint64_t epochcast_table_plan_version(const epochcast_table_t* table, int64_t now_unix_s) {
    if (table == nullptr || table->plan_fresh_until_unix_s < now_unix_s) return 0;
    return table->plan_version;
}

const char* epochcast_table_default_policy(const epochcast_table_t* table) {
    return table == nullptr ? "" : table->content.default_policy.c_str();
}

const char* epochcast_table_decision_dir(const epochcast_table_t* table) {
    return table == nullptr ? "" : table->content.decision_dir.c_str();
}

}  // extern "C"

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

}  // namespace

epochcast_table::epochcast_table(epochcast::ForecastTable forecasts)
    : content(std::move(forecasts)) {
    for (std::size_t i = 0; i < content.classes.size(); ++i) {
        for (const std::string& node : content.classes[i].nodes) {
            class_of_node.emplace(node, static_cast<std::int32_t>(i));
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
        epochcast::FolderState state =
            epochcast::read_folder(epochcast::text_or_empty(dir), now_unix_s);
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

const char* epochcast_table_default_policy(const epochcast_table_t* table) {
    return table == nullptr ? "" : table->content.default_policy.c_str();
}

const char* epochcast_table_decision_dir(const epochcast_table_t* table) {
    return table == nullptr ? "" : table->content.decision_dir.c_str();
}

}  // extern "C"

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/class_survey.hpp"

#include <algorithm>
#include <string_view>

#include "common/node_gpus.hpp"

namespace epochcast::slurm {

namespace {

// Calls visit(item) for each item of a comma list.
template <class Visit>
void for_each_item(std::string_view list, Visit visit) {
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(item.size() + 1, list.size()));
        if (!item.empty()) visit(item);
    }
}

std::vector<part_record_t*> find_partitions(const char* list) {
    std::vector<part_record_t*> found;
    if (!list || !*list) {
        if (&default_part_loc && default_part_loc) found.push_back(default_part_loc);
        return found;
    }
    for_each_item(list, [&](std::string_view name) {
        part_record_t* partition = find_part_record(std::string(name).data());
        if (partition) found.push_back(partition);
    });
    return found;
}

bool has_feature(const node_record_t& node, std::string_view feature) {
    bool found = false;
    const char* features = node.config_ptr ? node.config_ptr->feature : nullptr;
    for_each_item(features ? features : "", [&](std::string_view has) { found |= has == feature; });
    return found;
}

// Only plain names joined by & are judged; what has more to it is left to Slurm.
bool has_features(const node_record_t& node, const char* expression) {
    std::string names(expression ? expression : "");
    if (names.find_first_of("|[]()*!") != names.npos) return true;
    std::ranges::replace(names, '&', ',');
    bool all = true;
    for_each_item(names, [&](std::string_view name) { all &= has_feature(node, name); });
    return all;
}

bool fits(const node_record_t& node, const Needs& needs) {
    return node.cpus >= needs.node_cpus && node.real_memory >= needs.memory_mib &&
           has_features(node, needs.features);
}

// Calls visit(node, index) for each node that there is.
template <class Visit>
void for_each_node(Visit visit) {
    for (int i = 0; node_record_table_ptr && i < node_record_count; ++i)
        if (node_record_table_ptr[i] && node_record_table_ptr[i]->name)
            visit(*node_record_table_ptr[i], static_cast<uint32_t>(i));
}

bool is_in(const std::vector<part_record_t*>& partitions, uint32_t node) {
    return std::ranges::any_of(partitions, [&](const part_record_t* partition) {
        return partition->node_bitmap &&
               static_cast<int64_t>(node) < bit_size(partition->node_bitmap) &&
               bit_test(partition->node_bitmap, static_cast<int64_t>(node));
    });
}

template <class Count>
std::vector<epochcast_offer_t> offers_of(const std::vector<ClassNodes>& classes, Count count) {
    std::vector<epochcast_offer_t> offers;
    offers.reserve(classes.size());
    for (const ClassNodes& node_class : classes)
        offers.push_back({count(node_class), UINT32_MAX, 0});
    return offers;
}

}  // namespace

ClassSurvey::ClassSurvey(const Needs& needs) : records_(find_partitions(needs.partitions)) {
    for (const part_record_t* partition : records_) {
        partitions_.emplace_back(partition->name);
        max_time_min_ = std::min(max_time_min_, partition->max_time);
    }
}

void ClassSurvey::count(const epochcast_table_t* table, const Needs& needs) {
    classes_.assign(epochcast_table_classes(table), ClassNodes{});
    const auto excluded = nodes_named(needs.excluded_nodes);
    const GpuNeed gpus = gpus_of_node(needs);
    for_each_node([&](const node_record_t& node, uint32_t index) {
        const int32_t found = epochcast_table_class_of_node(table, node.name);
        const auto node_class = static_cast<std::size_t>(found);
        if (found < 0 || node_class >= classes_.size() || !is_in(records_, index)) return;
        if (gpus.count > 0 && count_gpus(node, gpus.type.c_str()) < gpus.count) return;
        ++classes_[node_class].nodes;
        if (!fits(node, needs) || std::ranges::binary_search(excluded, index)) return;
        ++classes_[node_class].fitting;
        classes_[node_class].fitting_cpus += node.cpus;
    });
}

std::vector<epochcast_offer_t> ClassSurvey::all_offers() const {
    return offers_of(classes_, [](const ClassNodes& counts) { return counts.nodes; });
}

std::vector<epochcast_offer_t> ClassSurvey::fitting_offers() const {
    return offers_of(classes_, [](const ClassNodes& counts) { return counts.fitting; });
}

std::vector<uint32_t> nodes_named(char* list) {
    std::vector<uint32_t> nodes;
    if (!list || !*list) return nodes;
    auto names = hostlist_create(list);
    while (char* name = names ? hostlist_shift(names) : nullptr) {
        const node_record_t* node = find_node_record(name);
        if (node) nodes.push_back(node->index);
        std::free(name);
    }
    if (names) hostlist_destroy(names);
    std::ranges::sort(nodes);
    return nodes;
}

std::string nodes_outside(const epochcast_table_t* table, int32_t node_class) {
    bitstr_t* outside = bit_alloc(std::max(node_record_count, 1));
    for_each_node([&](const node_record_t& node, uint32_t index) {
        if (epochcast_table_class_of_node(table, node.name) != node_class) bit_set(outside, index);
    });
    char* names = bitmap2node_name(outside);
    std::string text(names ? names : "");
    xfree(names);
    FREE_NULL_BITMAP(outside);
    return text;
}

}  // namespace epochcast::slurm

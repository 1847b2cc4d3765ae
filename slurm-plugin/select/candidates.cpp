// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/candidates.hpp"

#include <algorithm>

#include "common/node_gpus.hpp"
#include "select/device_request.hpp"

namespace epochcast::slurm {

namespace {

// Calls visit(index) for each set bit.
template <class Visit>
void for_each_node(bitstr_t* nodes, Visit visit) {
    const auto first = bit_ffs(nodes);
    if (first < 0) return;
    const auto last = bit_fls(nodes);
    const bool has_gaps = bit_set_count(nodes) != last - first + 1;
    for (auto i = first; i <= last; ++i)
        if (!has_gaps || bit_test(nodes, i)) visit(static_cast<std::size_t>(i));
}

}  // namespace

void Candidates::scan(const JobTest& test,
                      ClassMap& map,
                      uint32_t classes,
                      const Freedom& freedom,
                      bool counts_devices) {
    const auto table_nodes = static_cast<std::size_t>(bit_size(test.nodes));
    if (nodes_.size() < table_nodes) nodes_.resize(table_nodes);
    counts_.assign(classes, Count{});
    offers_.assign(classes, epochcast_offer_t{0, UINT32_MAX, 0});
    ranks_.assign(classes, 0);
    rankable_ = 0;
    count(test, map);
    if (counts_devices) {
        idle_devices_.assign(classes * counted_devices, 0);
        for (const Node& node : nodes())
            if (node.node_class >= 0)
                ++idle_devices_[static_cast<std::size_t>(node.node_class) * counted_devices +
                                std::min<std::size_t>(idle_gpus(*node_record_table_ptr[node.index]),
                                                      counted_devices - 1)];
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const Count& class_count = counts_[i];
        if (class_count.nodes == 0) continue;
        ++kinds_;
        // Told by its first node.
        if (has_gpus_for(*node_record_table_ptr[class_count.first], *test.job))
            offers_[i].nodes = class_count.nodes;
    }
    if (counts_devices) bound_devices(freedom);
}

// One pass over the candidates, of which there may be ten thousand: it works on locals, so that
// nothing is read twice.
void Candidates::count(const JobTest& test, const ClassMap& map) {
    Node* next = nodes_.data();
    Count* const counts = counts_.data();
    const std::size_t classes = counts_.size();
    uint32_t least_weight = UINT32_MAX;
    int32_t lightest_class = -1;
    bool has_failed = false;
    bool has_unknown = false;
    for_each_node(test.nodes, [&](std::size_t i) {
        const ClassMap::Entry found = map.look_up(i);
        const auto index = static_cast<std::size_t>(found.node_class);
        const bool known = index < classes;
        const int16_t node_class = known ? found.node_class : int16_t{-1};
        *next++ = {static_cast<uint32_t>(i), found.weight, node_class, found.is_failed};
        has_failed |= found.is_failed;
        has_unknown |= !known;
        if (found.weight < least_weight) {
            least_weight = found.weight;
            lightest_class = node_class;
        }
        if (!known) return;
        Count& class_count = counts[index];
        if (class_count.nodes++ == 0) class_count.first = static_cast<uint32_t>(i);
        class_count.cpus += found.cpus;
    });
    node_count_ = static_cast<std::size_t>(next - nodes_.data());
    lightest_class_ = lightest_class;
    has_failed_ = has_failed;
    kinds_ = has_unknown ? 1 : 0;
}

// The job can have as many devices per node as so many nodes of the class have idle.
void Candidates::bound_devices(const Freedom& freedom) {
    for (std::size_t i = 0; i < offers_.size(); ++i) {
        uint32_t nodes = 0;
        std::size_t devices = counted_devices;
        while (devices > 0 && nodes < freedom.least_nodes)
            nodes += idle_devices_[i * counted_devices + --devices];
        if (devices + 1 < counted_devices) offers_[i].devices = static_cast<uint32_t>(devices);
    }
}

void Candidates::order_by(const epochcast_choice_t* choices, uint32_t rankable) {
    rankable_ = static_cast<uint16_t>(std::min<uint32_t>(rankable, UINT16_MAX / 4));
    std::fill(ranks_.begin(), ranks_.end(), last_rank());
    for (uint16_t i = 0; i < rankable_; ++i)
        if (choices[i].class_index < ranks_.size()) ranks_[choices[i].class_index] = i;
}

bool Candidates::large_enough(const Count& count, uint32_t nodes, const JobTest& test) const {
    return count.nodes >= std::max<uint32_t>(1, nodes) &&
           (!may_span_nodes(test) || count.cpus >= test.job->details->min_cpus);
}

int32_t Candidates::whole_job_class(const JobTest& test, ClassMap& map, const Plan& plan) const {
    for (uint32_t i = 0; i < plan.rankable; ++i) {
        const epochcast_choice_t& choice = plan.choices[i];
        const uint32_t nodes = plan.freedom.of_nodes() ? choice.nodes : test.min_nodes;
        if (choice.class_index >= counts_.size() ||
            !large_enough(counts_[choice.class_index], nodes, test))
            continue;
        auto best = static_cast<int32_t>(choice.class_index);
        if (bitstr_t* required = test.job->details->req_node_bitmap)
            for_each_node(required, [&](std::size_t node) {
                if (map.look_up(node).node_class != best) best = -1;
            });
        return best;
    }
    return -1;
}

void Candidates::demote(int32_t node_class, const JobTest& test) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const bool is_it = static_cast<int32_t>(i) == node_class;
        if (ranks_[i] < rankable_ && (is_it || !large_enough(counts_[i], test.min_nodes, test)))
            ranks_[i] = static_cast<uint16_t>(ranks_[i] + rankable_);
    }
}

}  // namespace epochcast::slurm

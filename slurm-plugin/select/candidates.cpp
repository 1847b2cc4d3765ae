// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/candidates.hpp"

#include <algorithm>

namespace epochcast::slurm {

namespace {

// Calls visit(index) for each set bit.
template <class Visit>
void for_each_node(bitstr_t* nodes, Visit visit) {
    const auto first = bit_ffs(nodes);
    if (first < 0) return;
    const auto last = bit_fls(nodes);
    for (auto i = first; i <= last; ++i)
        if (bit_test(nodes, i)) visit(static_cast<std::size_t>(i));
}

}  // namespace

void Candidates::scan(const JobTest& test, ClassMap& map, uint32_t classes) {
    nodes_.clear();
    nodes_.reserve(static_cast<std::size_t>(bit_size(test.nodes)));
    counts_.assign(classes, Count{});
    flags_.assign(classes, 0);
    ranks_.assign(classes, 0);
    rankable_ = 0;
    const bool wants_cpus = may_span_nodes(test);
    bool unknown = false;
    for_each_node(test.nodes, [&](std::size_t i) {
        const int32_t found = map.class_of(i);
        const auto index = static_cast<std::size_t>(found);
        const bool known = found >= 0 && index < counts_.size();
        nodes_.push_back({static_cast<uint32_t>(i), known ? found : -1});
        if (!known) {
            unknown = true;
            return;
        }
        ++counts_[index].nodes;
        if (wants_cpus) counts_[index].cpus += node_record_table_ptr[i]->cpus;
        flags_[index] = 1;
    });
    kinds_ = static_cast<uint32_t>(std::count(flags_.begin(), flags_.end(), 1)) + (unknown ? 1 : 0);
}

void Candidates::order_by(const epochcast_choice_t* choices, uint32_t rankable) {
    rankable_ = static_cast<uint16_t>(std::min<uint32_t>(rankable, UINT16_MAX / 4));
    std::fill(ranks_.begin(), ranks_.end(), static_cast<uint16_t>(2 * rankable_));
    for (uint16_t i = 0; i < rankable_; ++i)
        if (choices[i].class_index < ranks_.size()) ranks_[choices[i].class_index] = i;
}

uint16_t Candidates::rank_of(int32_t node_class) const {
    const auto index = static_cast<std::size_t>(node_class);
    return node_class >= 0 && index < ranks_.size() ? ranks_[index]
                                                    : static_cast<uint16_t>(2 * rankable_);
}

bool Candidates::large_enough(const Count& count, const JobTest& test) const {
    return count.nodes >= std::max<uint32_t>(1, test.min_nodes) &&
           count.cpus >= test.job->details->min_cpus;
}

int32_t Candidates::whole_job_class(const JobTest& test, ClassMap& map) const {
    int32_t best = -1;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if (ranks_[i] < rankable_ && large_enough(counts_[i], test) &&
            (best < 0 || ranks_[i] < ranks_[static_cast<std::size_t>(best)]))
            best = static_cast<int32_t>(i);
    bitstr_t* required = test.job->details->req_node_bitmap;
    if (best >= 0 && required)
        for_each_node(required, [&](std::size_t i) {
            if (map.class_of(i) != best) best = -1;
        });
    return best;
}

void Candidates::demote(int32_t node_class, const JobTest& test) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const bool is_it = static_cast<int32_t>(i) == node_class;
        if (ranks_[i] < rankable_ && (is_it || !large_enough(counts_[i], test)))
            ranks_[i] = static_cast<uint16_t>(ranks_[i] + rankable_);
    }
}

}  // namespace epochcast::slurm

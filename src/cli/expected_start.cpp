// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/expected_start.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "slurm_view/hostlist.hpp"

namespace epochcast {

namespace {

// When a node is free, and what says so.
struct Freedom {
    std::int64_t unix_s = 0;
    const char* basis = "idle nodes";
};

using LimitEnds = std::unordered_map<std::string, std::int64_t>;  // node to its last job's end

LimitEnds limit_ends(const ClusterView& cluster) {
    LimitEnds ends;
    for (const JobView& job : cluster.jobs) {
        if (!job.is_active || job.nodes.empty()) continue;
        const auto names = expand_hostlist(job.nodes);
        if (!names) continue;
        for (const std::string& name : names.value()) {
            std::int64_t& end = ends[name];
            end = std::max(end, job.end_unix_s);
        }
    }
    return ends;
}

class Nodes {
  public:
    Nodes(std::span<const NodeState> states, const ClusterView& cluster)
        : limit_ends_(limit_ends(cluster)) {
        for (const NodeState& state : states) states_.emplace(state.node, &state);
        for (const NodeView& node : cluster.nodes) nodes_.emplace(node.name, &node);
    }

    bool is_usable(const std::string& name) const {
        const auto found = nodes_.find(name);
        return found != nodes_.end() && found->second->is_usable;
    }

    Freedom freedom(const std::string& name, std::uint32_t cpus, std::int64_t now_unix_s) const {
        const NodeView& node = *nodes_.at(name);
        if (node.cpus_taken == 0 || node.cpus - node.cpus_taken >= std::max(cpus, 1u)) {
            return {now_unix_s, "idle nodes"};
        }
        const auto state = states_.find(name);
        if (state != states_.end() && state->second->free_unix_s != 0) {
            return {std::max(state->second->free_unix_s, now_unix_s),
                    state->second->is_forecast ? "forecast ends" : "time limits"};
        }
        const auto end = limit_ends_.find(name);
        const std::int64_t unix_s = end == limit_ends_.end() ? now_unix_s : end->second;
        return {std::max(unix_s, now_unix_s), "time limits"};
    }

  private:
    LimitEnds limit_ends_;
    std::unordered_map<std::string_view, const NodeState*> states_;
    std::unordered_map<std::string, const NodeView*> nodes_;
};

}  // namespace

std::vector<ExpectedStart> expected_starts(std::span<const NodeClass> classes,
                                           std::span<const NodeState> states,
                                           const ClusterView& cluster,
                                           std::uint32_t nodes,
                                           std::uint32_t cpus_per_node,
                                           std::int64_t now_unix_s) {
    const Nodes known(states, cluster);
    std::vector<ExpectedStart> starts;
    for (const NodeClass& node_class : classes) {
        std::vector<Freedom> freedoms;
        for (const std::string& name : node_class.nodes) {
            if (known.is_usable(name)) {
                freedoms.push_back(known.freedom(name, cpus_per_node, now_unix_s));
            }
        }
        if (freedoms.size() < nodes) {
            starts.push_back({node_class.name, 0, "too few nodes take jobs"});
            continue;
        }
        std::ranges::stable_sort(freedoms, {}, &Freedom::unix_s);
        const Freedom& last = freedoms[nodes - 1];
        starts.push_back({node_class.name, last.unix_s, last.basis});
    }
    return starts;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What is known about one task on the placements of each class: from the history where it can be
// read, else from the forecast file, which everybody may read.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/site.hpp"
#include "core/forecast/forecast.hpp"
#include "core/node_class.hpp"
#include "core/placement/ranking.hpp"

namespace epochcast {

struct KnownPlacement {
    std::uint32_t class_index = 0;  // into TaskKnowledge::classes
    std::uint32_t nodes = 1;
    std::uint32_t devices_per_node = 0;  // 0: CPU only, or not known
    std::optional<Forecast> forecast;
};

struct TaskKnowledge {
    TaskKey task;
    std::vector<NodeClass> classes;
    std::vector<KnownPlacement> placements;  // by class, nodes, devices; each class at least once
    std::string source;                      // "the history /var/..." or "forecast files in ..."
    std::set<std::uint32_t> known_nodes;     // node counts that the task is known on
    std::vector<std::string> near_names;     // tasks of the user with similar names

    bool has_forecast() const;
};

// Which placements to ask about.
struct KnowledgeRequest {
    std::string task;
    std::uint32_t uid = 0;
    std::vector<std::uint32_t> nodes;    // ascending, not empty
    std::vector<std::uint32_t> devices;  // per node; empty: those of the task's records there
};

// The user's own task of this name, else the cluster's. A class has the placements for which it has
// nodes, and devices as far as the history has seen some there; if it has none, its smallest one,
// without a forecast. Errors: environment or bad_input if neither history nor forecast file can be
// used, with both reasons; usage if devices are asked for and only a forecast file is there.
Result<TaskKnowledge> gather_knowledge(Context& context,
                                       const Site& site,
                                       const KnowledgeRequest& request);

// The placements as rank_placements() wants them, in the same order; they point into `knowledge`.
std::vector<Candidate> candidates_of(const TaskKnowledge& knowledge);

// Why there is no forecast and what to do.
std::string no_forecast_text(const TaskKnowledge& knowledge, std::uint32_t nodes);

// Names that a person may have meant instead of `name`, nearest first, at most five.
std::vector<std::string> similar_names(const std::string& name, const std::set<std::string>& known);

}  // namespace epochcast

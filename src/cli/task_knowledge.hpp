// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What is known about one task on each class: from the history where it can be read, else from the
// forecast file, which everybody may read.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/site.hpp"
#include "core/forecast/forecast.hpp"
#include "core/node_class.hpp"

namespace epochcast {

struct TaskKnowledge {
    TaskKey task;
    std::vector<NodeClass> classes;
    std::vector<std::optional<Forecast>> forecasts;  // one per class
    std::string source;                   // "the history /var/..." or "forecast files in ..."
    std::set<std::uint32_t> known_nodes;  // node counts that the task is known on
    std::vector<std::string> near_names;  // tasks of the user with similar names

    bool has_forecast() const;
};

// The user's own task of this name, else the cluster's. Errors: environment or bad_input if neither
// history nor forecast file can be used, with both reasons.
Result<TaskKnowledge> gather_knowledge(Context& context,
                                       const Site& site,
                                       const std::string& task,
                                       std::uint32_t uid,
                                       std::uint32_t nodes);

// Why there is no forecast and what to do.
std::string no_forecast_text(const TaskKnowledge& knowledge, std::uint32_t nodes);

// Names that a person may have meant instead of `name`, nearest first, at most five.
std::vector<std::string> similar_names(const std::string& name, const std::set<std::string>& known);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/task_runs.hpp"

namespace epochcast {

void TaskRuns::Newest::note(const Series& series) {
    const std::uint64_t newest_ns = series.records.empty() ? 0 : series.records.back().start_ns;
    if (newest_ns < start_ns) return;
    start_ns = newest_ns;
    devices = series.placement.devices_per_node;
}

void TaskRuns::note(const Series& series) {
    nodes_.insert(series.placement.nodes);
    runs_ += static_cast<std::uint32_t>(series.startups_s.size());
    anywhere_.note(series);
    by_class_[series.placement.node_class].note(series);
}

std::uint32_t TaskRuns::devices_on(const std::string& node_class) const {
    const auto found = by_class_.find(node_class);
    return found != by_class_.end() ? found->second.devices : anywhere_.devices;
}

std::map<TaskKey, TaskRuns> task_runs(std::span<const Series> history) {
    std::map<TaskKey, TaskRuns> runs;
    for (const Series& series : history) runs[series.task].note(series);
    return runs;
}

}  // namespace epochcast

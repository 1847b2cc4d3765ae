// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Where a task ran: the placements for which forecasts are worth asking.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "core/forecast/series.hpp"

namespace epochcast {

class TaskRuns {
  public:
    void note(const Series& series);

    // The numbers of nodes that it ran on, and 1.
    const std::set<std::uint32_t>& nodes() const { return nodes_; }

    // Jobs, as far as their start-up was recorded.
    std::uint32_t runs() const { return runs_; }

    // Devices per node of its newest record on the class, else of its newest record anywhere; 0
    // where it never ran.
    std::uint32_t devices_on(const std::string& node_class) const;

  private:
    struct Newest {
        std::uint64_t start_ns = 0;
        std::uint32_t devices = 0;
        void note(const Series& series);
    };
    std::set<std::uint32_t> nodes_{1};
    std::uint32_t runs_ = 0;
    Newest anywhere_;
    std::map<std::string, Newest> by_class_;
};

// Every task of the history.
std::map<TaskKey, TaskRuns> task_runs(std::span<const Series> history);

}  // namespace epochcast

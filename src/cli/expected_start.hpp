// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// When a pending job could start on each class, as far as running jobs tell: they are expected to
// end when the session service forecasts it, else by their time limits. Other pending jobs are left
// out of account.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "slurm_view/cluster_view.hpp"

namespace epochcast {

struct ExpectedStart {
    std::string node_class;
    std::int64_t unix_s = 0;  // 0: never, as far as is known
    std::string basis;        // "idle nodes", "forecast ends", "time limits", or why never
};

// In the order of the classes. `states` may be empty. nodes >= 1.
std::vector<ExpectedStart> expected_starts(std::span<const NodeClass> classes,
                                           std::span<const NodeState> states,
                                           const ClusterView& cluster,
                                           std::uint32_t nodes,
                                           std::uint32_t cpus_per_node,
                                           std::int64_t now_unix_s);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The ranked placements of a job as people and programs read them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/context.hpp"
#include "cli/task_knowledge.hpp"
#include "core/placement/ranking.hpp"
#include "core/utility/limits.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

struct RankQuestion {
    KnowledgeRequest request;
    std::uint64_t epochs = 1;
    bool has_epochs = false;
    Policy policy{0, 1, 0};
    bool has_policy = false;
    Limits limits;
};

// One placement, best first in a list of them.
struct RankAnswer {
    const NodeClass* node_class = nullptr;
    const Forecast* forecast = nullptr;  // null: none
    RankedPlacement ranked;
    std::uint32_t smaller_nodes = 0;  // of the next smaller placement of its class; 0: none
    std::uint32_t smaller_devices = 0;
    std::optional<double> gain;  // utility of this one less that of the smaller one
};

std::string rank_text(const RankQuestion& question,
                      const TaskKnowledge& knowledge,
                      std::span<const RankAnswer> answers);

Json rank_json(const RankQuestion& question,
               const TaskKnowledge& knowledge,
               std::span<const RankAnswer> answers);

}  // namespace epochcast

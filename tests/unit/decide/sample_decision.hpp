// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

#include <cmath>
#include <cstring>

#include "decide/epochcast_decide.h"

namespace epochcast {

// Job 42 of user 1000 steered to fast[1-2]; slow had no forecast.
inline epochcast_decision_t sample_decision(std::uint32_t uid = 1000) {
    epochcast_decision_t decision{};
    decision.job_id = 42;
    decision.array_task_id = UINT32_MAX;
    decision.uid = uid;
    decision.mode = EPOCHCAST_MODE_ON;
    decision.verdict = "steered";
    decision.time_unix_s = 1'700'000'000;
    decision.epochs = 90;
    decision.nodes = 1;
    std::strcpy(decision.task, "cnn");
    std::strcpy(decision.policy, "time");
    std::strcpy(decision.partition, "main");
    std::strcpy(decision.chosen_class, "fast");
    std::strcpy(decision.chosen_nodes, "fast[1-2]");
    decision.class_count = 2;
    auto& fast = decision.classes[0];
    std::strcpy(fast.name, "fast");
    std::strcpy(fast.basis, "from 12 epochs on this class");
    fast.utility = -6.8;
    fast.time_s = 910.5;
    fast.cost = 2;
    auto& slow = decision.classes[1];
    std::strcpy(slow.name, "slow");
    std::strcpy(slow.reason, "no forecast for this task here");
    slow.utility = std::nan("");
    return decision;
}

}  // namespace epochcast

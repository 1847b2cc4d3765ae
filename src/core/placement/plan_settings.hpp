// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

#include <cstdint>

namespace epochcast {

struct PlanSettings {
    double shadow_price = 0.65;
    double late_weight = 0.5;
    double late_after = 2.5;
    double slow_weight = 1;
    double slow_after = 4.5;
    double ageing_power = 0;
    double ageing_lengths = 1;
    double ageing_s = 0;
    std::uint32_t search_steps = 500;
    double heat = 0.02;
    std::uint32_t futures = 3;
    double future = 3.65;
    std::uint32_t future_steps = 500;
    std::uint32_t search_jobs = 1000;
    double quorum = 0.5;
    std::uint32_t future_jobs = 50;
    double least_wait_s = 60;
    bool allows_stopgaps = false;
    bool allows_upgrades = false;
    bool starts_on_trial = false;
    bool explores = false;
    double patience_s = 900;
    double move_s = 180;
    bool moves_firm = false;
    double move_gain_s = 1080;
    double stopgap_gain_s = 360;
    double upgrade_gain_s = 900;
};

}  // namespace epochcast

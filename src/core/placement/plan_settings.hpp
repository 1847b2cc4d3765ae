// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The knobs of the queue plan. Everything is relative to the jobs and prices at hand, so that
// neither the currency nor the length of a site's jobs matters. Defaults were chosen on seeds 1 to
// 40 of Gavel's two physical traces; tests/bench/RESULTS.md reports other seeds and traces.

#include <cstdint>

namespace epochcast {

// Which jobs may be requeued at the end of an epoch.
enum class Moves : std::uint8_t {
    none,   // a started job stays until it ends
    trial,  // only once, after the first epoch of a job that started where it was never timed
    any,    // jobs also work meanwhile on what the plan leaves idle, and firm runs move if it pays
};

struct PlanSettings {
    Moves moves = Moves::none;

    // Seconds of delay that the plan accepts to save one second of an average unit (by price),
    // under every policy: it keeps scarce classes for whoever comes next. 0.55 is 0.42 h/$ at
    // Gavel's prices. Alike between 0.4 and 0.9.
    double shadow_price = 0.55;
    // By how many times a pure cost policy raises that. Jobs that count money alone wait for the
    // cheapest class all at once if each counts its own; a common price keeps the classes apart.
    double cost_shadow = 5.4;

    // Unless its policy is cost, a job's time counts 1 + late_weight beyond late_after x the
    // typical run time, and grows without bound beyond slow_after x its own, so that nobody
    // starves. See plan_value.hpp.
    double late_weight = 0.5;
    double late_after = 3.2;
    double slow_weight = 0.5;
    double slow_after = 4.5;
    // A job that waited so many times the longer of its own and the typical run time goes before
    // all others, the longest-waiting first: in a queue that never empties the terms above do not
    // suffice.
    double starving_after = 50;

    // How much a wait shrinks a job's size in the list plan; see list_plan.hpp. 0: no ageing.
    double ageing = 0.5;

    // Random changes tried: so many for each queued job, within the two bounds. More gain nothing.
    std::uint32_t steps_per_job = 20;
    std::uint32_t least_steps = 300;
    std::uint32_t most_steps = 2000;
    // The first changes are accepted at a loss of about so much of the typical run time.
    double heat = 0.02;

    // Futures rehearsed before a job starts; 0: none. Each lasts so many typical run times and
    // holds at most so many expected jobs. Not with Moves::any, which corrects a start later.
    std::uint32_t futures = 3;
    double future_length = 3.65;
    std::uint32_t future_jobs = 30;
    // Random changes tried in a future: so many for each queued job, within the two bounds.
    std::uint32_t future_steps_per_job = 40;
    std::uint32_t least_future_steps = 100;
    std::uint32_t most_future_steps = 500;

    // Seconds that restoring after a requeue takes.
    double move_s = 180;
    // Work gained, in seconds at the planned place, above which a job works meanwhile.
    double stopgap_gain_s = 360;
    // What moving a firm run must gain beside its own cost.
    double move_gain_s = 1080;
    // With Moves::trial a forecast counts so many of its deviations shorter before a job's first
    // run, since a trial that disappoints is corrected, and longer afterwards, since that is for
    // good.
    double hope = 0.75;
    double doubt = 0.75;
    // What leaving its place must gain for a job on trial, beside its own cost.
    double trial_gain_s = 300;
    // How long the other jobs of a task never seen wait for its first epoch to be timed.
    double patience_s = 900;

    // The defaults where a first epoch may end in a requeue. What is learned from trials is worth
    // more than what a scarce class is kept for.
    static PlanSettings with_trials() {
        PlanSettings settings;
        settings.moves = Moves::trial;
        settings.shadow_price = 0.3;
        return settings;
    }

    // The defaults where jobs may be moved: there a start can be corrected, so that neither waiting
    // for better places nor the tail needs as much weight.
    static PlanSettings with_moves() {
        PlanSettings settings;
        settings.moves = Moves::any;
        settings.shadow_price = 0.26;
        settings.late_weight = 0;
        settings.futures = 0;
        return settings;
    }
};

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a queue plan is made from, and the plan itself. All times are seconds on one clock of the
// caller's; the planner has none. A unit is what a job takes whole: a device in the simulator, a
// node or a device on a real cluster. Units of a class are alike.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace epochcast {

// One way in which a job could run.
struct PlanOption {
    std::uint32_t class_index = 0;
    std::uint32_t units = 1;  // >= 1
    double run_s = 0;         // forecast of all that is left there, lead included; > 0, finite
    double lead_s = 0;        // of which start-up or restoring, which does no work
    bool is_timed = true;     // an epoch of just this setting was measured here
    bool is_seen = true;      // an epoch of this task was measured here, in any setting
    double spread = 0;        // standard deviation of ln run_s as a forecast; 0: certain
};

// Units that a job holds now.
struct Hold {
    std::uint32_t option = 0;  // index into PlanJob::options
    // Where can_stop: the end of the epoch in progress, and the job's run_s count from then on.
    // Else the forecast end.
    double until_s = 0;
    bool can_stop = false;
    // A firm run was given its place for good. Any other works meanwhile, on trial or on what the
    // plan leaves idle: the plan treats its units as free from until_s on. It can stop.
    bool is_firm = true;
};

struct PlanJob {
    std::uint64_t id = 0;    // unique; plans are carried on by it
    std::uint64_t task = 0;  // jobs of one task share it
    double size = 0;         // declared work, comparable within a task
    double submitted_s = 0;  // its time counts from here
    double release_s = 0;    // it does not start before
    double isolated_s = 0;   // forecast of the whole job on its fastest placement, never waiting
    double trade_s_per_cost = 0;      // see trade.hpp; 0: money does not matter to it
    double cost_weight = 0;           // of its policy, 0 to 1; see PlanSettings::cost_shadow
    bool has_run = false;             // a job that ran before does not start on trial
    std::vector<PlanOption> options;  // empty: nothing is known or nothing fits; it is not planned
    std::optional<Hold> hold;
};

struct PlanClass {
    std::vector<double> free_at_s;   // one for each unit that no PlanJob holds; <= now: idle
    double price_per_unit_hour = 0;  // 0 in every class: prices are not known, all are alike
};

// What is known of jobs to come, for the rehearsal.
struct Arrivals {
    double rate_per_s = 0;         // 0: none are expected
    std::vector<PlanJob> samples;  // jobs like those to come: options and isolated_s count
};

struct Queue {
    double now_s = 0;
    std::vector<PlanClass> classes;
    std::vector<PlanJob> jobs;
    Arrivals arrivals;
};

// A job's place in the plan. start_s <= now: it can start.
struct PlannedRun {
    std::uint32_t job = 0;     // index into Queue::jobs
    std::uint32_t option = 0;  // index into its options
    double start_s = 0;
    double end_s = 0;
};

struct QueuePlan {
    std::vector<PlannedRun> runs;         // every job that is planned, by start
    std::vector<PlannedRun> starts;       // begin now, for good
    std::vector<PlannedRun> trials;       // begin now, to be decided when an epoch was timed
    std::vector<PlannedRun> stopgaps;     // begin now, to work meanwhile
    std::vector<std::uint32_t> confirms;  // jobs that are not firm but may stay for good
    std::vector<std::uint32_t> requeues;  // jobs that shall stop at the end of their epoch
    // Plan again at the latest then: a job waits although units are idle. Infinity: at an event.
    double review_s = std::numeric_limits<double>::infinity();
};

// The order of a plan, which the next one starts from.
struct PlanMemory {
    struct Entry {
        std::uint64_t id = 0;
        std::uint32_t class_index = 0;
        std::uint32_t units = 1;
    };
    std::vector<Entry> entries;
};

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A queue as the planners work on it: flat arrays, prices turned into seconds, and a plan as one
// list of jobs per class. Internal to core/placement.

#include <cstdint>
#include <vector>

#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"

namespace epochcast {

class PlanProblem {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    struct Option {
        std::uint32_t class_index = 0;
        std::uint32_t units = 1;
        double run_s = 0;
        double price_s = 0;        // money and scarcity of the run, in seconds of delay
        std::uint32_t source = 0;  // index into PlanJob::options
    };

    struct Job {
        std::uint32_t source = none;     // index into Queue::jobs; none: only expected
        std::uint32_t first_option = 0;  // [first_option, last_option) of `options`
        std::uint32_t last_option = 0;
        std::uint32_t held_option = none;  // where it runs now
        double origin_s = 0;               // its time counts from here
        double release_s = 0;              // it cannot start before
        double isolated_s = 0;
        double tail_weight = 1;  // of the terms for late and slow jobs
        double loyalty_s = 0;    // what leaving its place counts beside the cost of restoring
        bool is_firm = false;
        bool is_starving = false;  // see PlanSettings::starving_after
    };

    // Every queued job that has an option and is waiting or can stop. Options that need more units
    // than their class has are left out.
    PlanProblem(const Queue& queue, const PlanSettings& settings);

    // Adds a job that is only expected, submitted at release_s.
    void expect(const PlanJob& sample, double release_s);

    double now_s = 0;
    double move_s = 0;     // PlanSettings::move_s
    double typical_s = 0;  // mean of isolated_s over Arrivals::samples, else over the queue
    std::vector<std::vector<double>> free_s;  // per class, sorted, at least now
    std::vector<Job> jobs;
    std::vector<Option> options;

  private:
    void set_prices(const Queue& queue, double shadow_price);
    bool add_options(const PlanJob& job, Job& flat);

    std::vector<double> price_per_unit_s_;  // per class; 1 each where no class has one
    double shadow_s_per_cost_ = 0;
    double cost_shadow_ = 0;  // PlanSettings::cost_shadow
    double hope_ = 0;         // PlanSettings::hope and doubt with Moves::trial, else 0
    double doubt_ = 0;
};

struct PlanEntry {
    std::uint32_t job = 0;     // index into PlanProblem::jobs
    std::uint32_t option = 0;  // index into PlanProblem::options
};

// For each class the jobs that are to run there, in the order in which they take their units.
using PlanLists = std::vector<std::vector<PlanEntry>>;

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Improves a plan by random changes (facts of placement: P1): a job goes to another option or
// place, or two jobs swap. Simulated annealing; the best plan seen is kept.

#include <cstdint>
#include <vector>

#include "core/placement/plan_problem.hpp"
#include "core/random.hpp"

namespace epochcast {

class PlanSearch {
  public:
    // Both outlive this. `lists` holds each job at most once.
    PlanSearch(const PlanProblem& problem, const PlanSettings& settings, PlanLists lists);

    // The sum of job values of the plan at hand, in seconds.
    double value_s() const;

    // Adds a job that is in no list where the plan's value grows least.
    void insert(std::uint32_t job);

    // Tries so many random changes and goes back to the best plan seen.
    void improve(std::uint32_t steps, Random& random);

    const PlanLists& lists() const { return lists_; }

  private:
    struct Place {
        std::uint32_t class_index = 0;
        std::uint32_t position = 0;
    };
    // One class's list with a change tried on it.
    struct Trial {
        std::uint32_t class_index = 0;
        std::uint32_t from = 0;  // first position that differs
        double value_s = 0;
        std::vector<PlanEntry> list;
    };

    Place place_of(std::uint32_t index) const;
    bool propose(Random& random);
    bool propose_move(Random& random, Place from);
    bool propose_swap(Place a, Place b);
    bool other_option(Random& random, std::uint32_t job, std::uint32_t& option) const;
    bool option_on(std::uint32_t job, std::uint32_t class_index, std::uint32_t& option) const;
    void open(Trial& trial, std::uint32_t class_index, std::uint32_t from) const;
    void evaluate(Trial& trial);
    void accept(Trial& trial);
    void refresh(std::uint32_t class_index, std::uint32_t from);

    const PlanProblem& problem_;
    const PlanSettings& settings_;
    PlanLists lists_;
    std::uint32_t entries_ = 0;
    // Per class: the value of the first n entries, and the free times before every 8th of them.
    std::vector<std::vector<double>> prefix_s_;
    std::vector<std::vector<double>> snapshots_;
    std::vector<double> scratch_;
    Trial trials_[2];
    std::uint32_t trial_count_ = 0;
};

}  // namespace epochcast

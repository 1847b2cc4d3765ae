// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Improves a plan by random changes (facts of placement: P1): a job goes to another option or
// place, or two jobs swap. Simulated annealing; the best plan seen is kept.

#include <cstdint>
#include <limits>
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

    // Adds a job that is in no list where the plan's value grows least, by a look at places all
    // over the lists, then at all places around the best.
    void insert(std::uint32_t job);

    // Tries so many random changes and goes back to the best plan seen.
    void improve(std::uint32_t steps, Random& random);

    const PlanLists& lists() const { return lists_; }

  private:
    struct Place {
        std::uint32_t class_index = 0;
        std::uint32_t position = 0;
    };
    struct Insertion {
        double growth_s = std::numeric_limits<double>::infinity();
        PlanEntry entry;
        Place place;
    };
    // One class's list with a change tried on it.
    struct Trial {
        std::uint32_t class_index = 0;
        std::uint32_t from = 0;   // first position that differs
        std::uint32_t until = 0;  // from here on the entries are the list's own again, ...
        int longer = 0;           // ... so many places later
        std::vector<PlanEntry> list;
    };

    Place place_of(std::uint32_t index) const;
    bool propose(Random& random);
    bool propose_move(Random& random, Place from);
    bool propose_swap(Place a, Place b);
    bool other_option(Random& random, std::uint32_t job, std::uint32_t& option) const;
    bool option_on(std::uint32_t job, std::uint32_t class_index, std::uint32_t& option) const;
    void open(Trial& trial, std::uint32_t class_index, std::uint32_t from) const;
    // By how much the trial changes the plan's value; anything above limit_s if it exceeds that.
    double change_s(const Trial& trial, double limit_s);
    double follow(std::uint32_t c, std::size_t position, double change_s, double limit_s);
    double starts_s(const PlanEntry& entry, const std::vector<double>& free_s) const;
    void rewind(std::uint32_t c, std::uint32_t position);
    void try_places(const PlanEntry& entry,
                    std::uint32_t first,
                    std::uint32_t last,
                    std::uint32_t step,
                    Insertion& best);
    void accept(Trial& trial);
    void refresh(std::uint32_t class_index, std::uint32_t from);

    const PlanProblem& problem_;
    const PlanSettings& settings_;
    PlanLists lists_;
    std::uint32_t entries_ = 0;
    // Per class: the value of the first n entries, and the free times before every 8th of them.
    std::vector<std::vector<double>> prefix_s_;
    std::vector<std::vector<double>> snapshots_;
    std::vector<double> scratch_;   // free times of the class at hand while a plan is played
    std::vector<double> before_s_;  // see try_places()
    Trial trials_[2];
    std::uint32_t trial_count_ = 0;
};

}  // namespace epochcast

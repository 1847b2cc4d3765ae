// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Ranks what one call of job_test may choose from: the forecasts in use, the job's options and what
// it leaves open, the candidate nodes by class, the queue plan. Changes nothing in slurmctld but,
// for a job with --train-gpus, how many GPUs per node it asks for, back to the least.

#include <vector>

#include "select/candidates.hpp"

namespace epochcast::slurm {

class Judge {
  public:
    // Starts to watch the forecast files in `dir`; log is called with one line per change of state.
    Judge(const char* dir, void (*log)(const char* line))
        : watch_(epochcast_watch_start(dir, log)) {}
    ~Judge() { epochcast_watch_stop(watch_); }
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;

    // The result refers to `options` and to this object, and lasts until the next call. Throws
    // std::bad_alloc.
    Plan judge(const JobTest& test, const epochcast_options_t& options, std::time_t now);

    // Of the last call.
    Candidates& candidates() { return candidates_; }
    const Candidates& candidates() const { return candidates_; }
    ClassMap& class_map() { return class_map_; }

    // Whether the class is the best one even if the job has to wait for it and for no other.
    bool is_worth_waiting(const Plan& plan, int32_t node_class, double wait_s);

    // Whether a class that is not among the candidates is better than all of them.
    bool has_better_class(const Plan& plan);

  private:
    static Freedom freedom_of(const JobTest& test, const epochcast_options_t& options);
    static const char* why_not_judged(const Plan& plan, const char* partition);
    void rank(const JobTest& test, Plan& plan);
    void prefer_planned_class(const JobTest& test, Plan& plan);

    epochcast_watch_t* watch_;
    ClassMap class_map_;
    Candidates candidates_;
    epochcast_job_t job_{};
    std::vector<epochcast_choice_t> choices_;
    std::vector<epochcast_choice_t> other_choices_;
    std::vector<epochcast_offer_t> all_offers_;
    std::time_t now_ = 0;
};

}  // namespace epochcast::slurm

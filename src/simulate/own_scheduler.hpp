// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Our own policy in a simulation: core/placement's queue plan over a forecaster.

#include <cstdint>
#include <vector>

#include "core/placement/plan_settings.hpp"
#include "core/placement/queue.hpp"
#include "core/utility/policy.hpp"
#include "simulate/engine.hpp"
#include "simulate/forecaster.hpp"

namespace epochcast::simulate {

struct OwnOptions {
    PlanSettings plan;
    Policy policy{0, 1, 0};  // every job's
    // Taken for the run time of a job that nothing is known of, on the class with the highest FLOP
    // rate, while nothing is known of any.
    double unknown_run_s = 2.5 * 3600;
    std::uint64_t seed = 0;
};

class OwnScheduler : public Scheduler {
  public:
    // `forecaster` outlives this.
    OwnScheduler(Forecaster& forecaster, OwnOptions options)
        : forecaster_(forecaster), options_(options) {}
    Actions decide(const View& view) override;

  private:
    Queue queue_of(const View& view);
    PlanJob plan_job(const View& view, std::uint32_t j) const;
    void hold(const View& view, std::uint32_t j, PlanJob& planned) const;
    void set_policy(const std::vector<PlanClass>& classes, PlanJob& job) const;
    void add_arrivals(const View& view, Queue& queue) const;
    void guess_unknown(const View& view);
    double run_s(const View& view, std::uint32_t j, std::uint32_t c, double steps) const;
    double review_s(const View& view) const;

    Forecaster& forecaster_;
    OwnOptions options_;
    PlanMemory memory_;
    std::uint64_t decisions_ = 0;
    double unknown_run_s_ = 0;  // see guess_unknown()
    double highest_flop_rate_ = 0;
};

}  // namespace epochcast::simulate

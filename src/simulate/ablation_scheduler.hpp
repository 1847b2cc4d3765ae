// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Our policy in parts, to see what each is worth: the order of the queue alone, the choice of class
// alone, or both, as plain lists without search or rehearsal. What is left out is done as stock
// Slurm does it: order of arrival, or the first class in order of weight with enough idle devices.

#include <cstdint>
#include <utility>
#include <vector>

#include "simulate/engine.hpp"
#include "simulate/forecaster.hpp"

namespace epochcast::simulate {

struct AblationOptions {
    bool orders = false;   // smallest forecast device time first, else by arrival
    bool chooses = false;  // the class where the job is done first; it may wait for it
    std::vector<std::uint32_t> preference;  // class indices by weight, where it does not choose
};

class AblationScheduler : public Scheduler {
  public:
    // `forecaster` outlives this and has a forecast for every job.
    AblationScheduler(Forecaster& forecaster, AblationOptions options)
        : forecaster_(forecaster), options_(std::move(options)) {}
    Actions decide(const View& view) override;

  private:
    std::vector<std::uint32_t> queue(const View& view) const;
    std::vector<std::vector<double>> free_times(const View& view) const;
    double run_s(const View& view, std::uint32_t j, std::uint32_t c) const;
    double size(const View& view, std::uint32_t j) const;
    void choose(const View& view,
                std::uint32_t j,
                std::vector<std::vector<double>>& free_s,
                Actions& actions) const;
    void take_first(const View& view,
                    std::uint32_t j,
                    std::vector<std::vector<double>>& free_s,
                    Actions& actions) const;

    Forecaster& forecaster_;
    AblationOptions options_;
};

}  // namespace epochcast::simulate

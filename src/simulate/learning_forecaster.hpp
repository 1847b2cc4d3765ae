// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The closed loop: nothing is known at the start, and what is known comes from core/forecast alone,
// out of the epochs that the trace's own jobs finish.

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/forecast/forecast_index.hpp"
#include "core/random.hpp"
#include "simulate/forecaster.hpp"

namespace epochcast::simulate {

class LearningForecaster : public Forecaster {
  public:
    // An epoch's measured time differs from the true one by a factor that is log-normal with
    // deviation `sigma`, drawn by seed. The trace outlives this.
    LearningForecaster(const Trace& trace, double sigma, std::uint64_t seed);

    void observe(const View& view) override;
    double step_s(std::uint32_t job, std::uint32_t class_index) const override;
    double spread(std::uint32_t job, std::uint32_t class_index) const override;
    bool is_timed(std::uint32_t job, std::uint32_t class_index) const override;
    bool is_seen(std::uint32_t job, std::uint32_t class_index) const override;
    std::uint64_t task(std::uint32_t job) const override;

  private:
    // Jobs that differ in nothing that a forecast can see share a kind.
    struct Kind {
        TaskKey task;
        TaskAttributes attributes;
        std::uint32_t devices = 1;
        double epoch_steps = 1;
        std::vector<std::optional<Series>> measured;  // by class
        std::vector<double> step_s;                   // by class; NaN: no forecast
        std::vector<double> spread;                   // by class
    };
    // How far a job's run has been taken in.
    struct Seen {
        std::uint32_t run = 0;
        std::uint64_t epochs = 0;
    };

    void record(std::uint32_t job, const Run& run, std::uint64_t epochs, double now_s);
    void forecast_again();

    const Trace& trace_;
    double sigma_;
    Random random_;
    ForecastIndex index_;
    std::vector<Kind> kinds_;
    std::vector<std::uint32_t> kind_of_;  // by job
    std::vector<Seen> seen_;              // by job
};

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a scheduler knows of run times in a simulation.

#include <cstdint>
#include <vector>

#include "simulate/engine.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

class Forecaster {
  public:
    virtual ~Forecaster() = default;

    // Takes in what can be seen now. Called before the others at every decision.
    virtual void observe(const View& view) = 0;

    // Forecast seconds per step of a job on a class where it fits; NaN: no forecast.
    virtual double step_s(std::uint32_t job, std::uint32_t class_index) const = 0;

    // Whether any epoch was ever timed with this job's task and attributes on the class.
    virtual bool is_timed(std::uint32_t job, std::uint32_t class_index) const = 0;
    virtual bool is_seen(std::uint32_t job, std::uint32_t class_index) const {
        return is_timed(job, class_index);
    }
    // Standard deviation of the logarithm of step_s() as a forecast; 0: not known.
    virtual double spread(std::uint32_t, std::uint32_t) const { return 0; }
    virtual std::uint64_t task(std::uint32_t) const { return 0; }
};

// The true times with an error that is log-normal with deviation sigma, drawn by seed,
// independently for each job and class. sigma 0: exact.
class NoisyForecaster : public Forecaster {
  public:
    NoisyForecaster(const Trace& trace, double sigma, std::uint64_t seed);
    void observe(const View&) override {}
    double step_s(std::uint32_t job, std::uint32_t class_index) const override;
    bool is_timed(std::uint32_t, std::uint32_t) const override { return true; }

  private:
    std::vector<std::vector<double>> step_s_;  // by job, class
};

}  // namespace epochcast::simulate

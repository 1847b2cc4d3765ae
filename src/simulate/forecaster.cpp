// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/forecaster.hpp"

#include <cmath>

#include "core/random.hpp"

namespace epochcast::simulate {

NoisyForecaster::NoisyForecaster(const Trace& trace, double sigma, std::uint64_t seed) {
    Random random(seed);
    for (const TraceJob& job : trace.jobs) {
        auto& step_s = step_s_.emplace_back();
        for (const double rate : job.steps_per_s) {
            step_s.push_back(std::exp(sigma * random.normal()) / rate);
        }
    }
}

double NoisyForecaster::step_s(std::uint32_t job, std::uint32_t class_index) const {
    return step_s_[job][class_index];
}

}  // namespace epochcast::simulate

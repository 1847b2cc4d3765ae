// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Experiments E2 and E3 and Gavel's generated traces, and runs of them over seeds.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench.hpp"
#include "simulate/engine.hpp"
#include "simulate/forecaster.hpp"
#include "simulate/metrics.hpp"
#include "simulate/own_scheduler.hpp"
#include "simulate/trace.hpp"

namespace bench {

// Seeds that were not used to choose constants; those were 1 to 40.
constexpr std::uint64_t first_seed = 101;
constexpr std::uint64_t seeds = 20;

// "e2" or "e3": Gavel's physical traces on its cluster, with epochs and the devices' FLOP rates.
epochcast::simulate::Trace physical_trace(const Options& options, const std::string& experiment);

// The generated single-GPU trace on 36 V100, 36 P100, 36 K80, with simulation throughputs.
epochcast::simulate::Trace single_trace(const Options& options, double jobs_per_hour);

// What a case makes for one seed; the trace is a copy that it may change first.
struct Case {
    std::function<void(epochcast::simulate::Trace&, std::uint64_t seed)> prepare;
    std::function<std::unique_ptr<epochcast::simulate::Forecaster>(
        const epochcast::simulate::Trace&, std::uint64_t seed)>
        forecaster;
    std::function<std::unique_ptr<epochcast::simulate::Scheduler>(epochcast::simulate::Forecaster&,
                                                                  std::uint64_t seed)>
        scheduler;
};

// Forecasts with an error of sigma, our own policy.
Case own_case(const epochcast::simulate::OwnOptions& own, double sigma);

// The closed loop: shuffled arrivals, half of the jobs declaring up to 3 times too much, a history
// that starts empty.
Case closed_case(const epochcast::simulate::OwnOptions& own);

// Results over the seeds. Percentiles and worst values of each seed, averaged over the seeds.
struct Summary {
    epochcast::simulate::Metrics mean;
    std::vector<double> jct_h;  // by seed
    Json detail() const;
};
Summary over_seeds(const epochcast::simulate::Trace& trace, const Case& wanted);

// The average JCT in hours as a figure's value, over its median, least and largest seed.
Result jct_result(const Summary& summary, const std::string& peer, double peer_h, Json detail);

}  // namespace bench

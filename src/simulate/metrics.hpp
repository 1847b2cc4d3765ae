// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a run of a trace amounts to. JCT of a job: from its arrival to its end.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulate/trace.hpp"

namespace epochcast::simulate {

struct Metrics {
    double jct_mean_s = 0;
    double jct_p50_s = 0;  // percentiles: sorted[int(p n)]
    double jct_p95_s = 0;
    double jct_p99_s = 0;
    double jct_max_s = 0;
    double makespan_s = 0;   // last end - first arrival
    double utilisation = 0;  // busy device-seconds / (devices x makespan)
    double cost = 0;
    // Shockwave's: JCT / (alone on the fastest class x max(1, jobs / devices)).
    double rho_worst = 0;
    double rho_mean = 0;
    double unfair = 0;  // part of the jobs whose rho is above 1.05
    double moves_per_job = 0;
    double decision_mean_s = 0;  // 0 where not measured
    double decision_p99_s = 0;
    double decision_max_s = 0;
};

// Over the jobs [first, last) of a trace that ran to its end; makespan, utilisation, cost and the
// decision times are of the whole run.
Metrics measure(const Trace& trace, const RunResult& result, std::size_t first, std::size_t last);
Metrics measure(const Trace& trace, const RunResult& result);

// Over runs of one trace that differ in the seed: means, and the largest decision_p99_s and
// decision_max_s. `runs` is not empty.
Metrics average(std::span<const Metrics> runs);

// Gavel's rho: the mean over jobs of JCT / JCT in `isolated`, a run of the same trace in which
// every job holds its share of every class.
double gavel_rho(const RunResult& result, const RunResult& isolated, const Trace& trace);

// The job's run time alone on its fastest class, seconds; infinity if it fits on none.
double isolated_s(const TraceJob& job);

// Sorted[int(p n)] as the published tables have it; p in [0, 1), values not empty.
double percentile(std::vector<double> values, double p);

}  // namespace epochcast::simulate

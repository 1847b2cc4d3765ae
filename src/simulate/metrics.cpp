// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/metrics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace epochcast::simulate {

namespace {

double mean(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double devices_of(const Trace& trace) {
    double devices = 0;
    for (const DeviceClass& device_class : trace.classes) devices += device_class.devices;
    return devices;
}

void add_times(Metrics& metrics,
               const Trace& trace,
               const RunResult& result,
               std::size_t first,
               std::size_t last) {
    const double contention =
        std::max(1.0, static_cast<double>(trace.jobs.size()) / devices_of(trace));
    std::vector<double> jct_s;
    std::vector<double> rho;
    double moves = 0;
    for (std::size_t j = first; j < last; ++j) {
        jct_s.push_back(result.jobs[j].finish_s - trace.jobs[j].arrival_s);
        rho.push_back(jct_s.back() / (isolated_s(trace.jobs[j]) * contention));
        moves += result.jobs[j].moves;
    }
    metrics.jct_mean_s = mean(jct_s);
    metrics.jct_p50_s = percentile(jct_s, 0.5);
    metrics.jct_p95_s = percentile(jct_s, 0.95);
    metrics.jct_p99_s = percentile(jct_s, 0.99);
    metrics.jct_max_s = *std::max_element(jct_s.begin(), jct_s.end());
    metrics.rho_mean = mean(rho);
    metrics.rho_worst = *std::max_element(rho.begin(), rho.end());
    const auto unfair = std::count_if(rho.begin(), rho.end(), [](double r) { return r > 1.05; });
    metrics.unfair = static_cast<double>(unfair) / static_cast<double>(rho.size());
    metrics.moves_per_job = moves / static_cast<double>(rho.size());
}

}  // namespace

double isolated_s(const TraceJob& job) {
    double fastest = 0;
    for (const double rate : job.steps_per_s) fastest = std::max(fastest, rate);
    return fastest > 0 ? job.steps / fastest : std::numeric_limits<double>::infinity();
}

double percentile(std::vector<double> values, double p) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size()))];
}

Metrics measure(const Trace& trace, const RunResult& result, std::size_t first, std::size_t last) {
    Metrics metrics;
    if (first >= last) return metrics;
    add_times(metrics, trace, result, first, last);
    double end_s = 0;
    double busy_device_s = 0;
    for (const JobResult& job : result.jobs) {
        end_s = std::max(end_s, job.finish_s);
        busy_device_s += job.busy_device_s;
        metrics.cost += job.cost;
    }
    metrics.makespan_s = end_s - trace.jobs.front().arrival_s;
    metrics.utilisation = busy_device_s / (devices_of(trace) * metrics.makespan_s);
    if (!result.decision_s.empty()) {
        metrics.decision_mean_s = mean(result.decision_s);
        metrics.decision_p99_s = percentile(result.decision_s, 0.99);
        metrics.decision_max_s = percentile(result.decision_s, 1 - 1e-12);
    }
    return metrics;
}

Metrics measure(const Trace& trace, const RunResult& result) {
    return measure(trace, result, 0, trace.jobs.size());
}

Metrics average(std::span<const Metrics> runs) {
    Metrics sum;
    sum.decision_p99_s = runs.front().decision_p99_s;
    sum.decision_max_s = runs.front().decision_max_s;
    for (const Metrics& run : runs) {
        for (const auto member : {&Metrics::jct_mean_s,
                                  &Metrics::jct_p50_s,
                                  &Metrics::jct_p95_s,
                                  &Metrics::jct_p99_s,
                                  &Metrics::jct_max_s,
                                  &Metrics::makespan_s,
                                  &Metrics::utilisation,
                                  &Metrics::cost,
                                  &Metrics::rho_worst,
                                  &Metrics::rho_mean,
                                  &Metrics::unfair,
                                  &Metrics::moves_per_job,
                                  &Metrics::decision_mean_s}) {
            sum.*member += run.*member / static_cast<double>(runs.size());
        }
        sum.decision_p99_s = std::max(sum.decision_p99_s, run.decision_p99_s);
        sum.decision_max_s = std::max(sum.decision_max_s, run.decision_max_s);
    }
    return sum;
}

double gavel_rho(const RunResult& result, const RunResult& isolated, const Trace& trace) {
    std::vector<double> rho;
    for (std::size_t j = 0; j < trace.jobs.size(); ++j) {
        const double arrival_s = trace.jobs[j].arrival_s;
        rho.push_back((result.jobs[j].finish_s - arrival_s) /
                      (isolated.jobs[j].finish_s - arrival_s));
    }
    return mean(rho);
}

}  // namespace epochcast::simulate

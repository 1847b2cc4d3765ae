// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "sim_cases.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "simulate/epochs.hpp"
#include "simulate/learning_forecaster.hpp"
#include "trace_files.hpp"

namespace bench {

namespace {

using namespace epochcast::simulate;

Trace trace_with_epochs(const Options& options,
                        const std::string& name,
                        GavelRates rates,
                        std::vector<DeviceClass> classes,
                        double arrival_unit_s) {
    Trace trace = gavel_trace(options, name, rates, std::move(classes), arrival_unit_s);
    set_epochs(trace, 0);
    return trace;
}

double clock_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Trace physical_trace(const Options& options, const std::string& experiment) {
    return trace_with_epochs(
        options,
        experiment == "e2" ? "physical_max_min_fairness" : "physical_minimize_makespan",
        GavelRates::physical,
        gavel_physical_cluster(),
        1);
}

Trace single_trace(const Options& options, double jobs_per_hour) {
    std::vector<DeviceClass> classes = gavel_physical_cluster();
    for (DeviceClass& device_class : classes) device_class.devices = 36;
    return trace_with_epochs(options,
                             "generated_single_seed0",
                             GavelRates::simulation,
                             std::move(classes),
                             3600 / jobs_per_hour);
}

Case own_case(const OwnOptions& own, double sigma) {
    Case made;
    made.forecaster = [sigma](const Trace& trace, std::uint64_t seed) {
        return std::make_unique<NoisyForecaster>(trace, sigma, seed);
    };
    made.scheduler = [own](Forecaster& forecaster, std::uint64_t seed) {
        OwnOptions options = own;
        options.seed = seed;
        return std::make_unique<OwnScheduler>(forecaster, options);
    };
    return made;
}

Case closed_case(const OwnOptions& own) {
    Case made = own_case(own, 0);
    made.prepare = begin_closed_loop;
    made.forecaster = [](const Trace& trace, std::uint64_t seed) {
        return std::make_unique<LearningForecaster>(trace, closed_loop_sigma, seed);
    };
    return made;
}

Summary over_seeds(const Trace& trace, const Case& wanted) {
    Summary summary;
    std::vector<Metrics> runs;
    for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
        Trace copy = trace;
        if (wanted.prepare) wanted.prepare(copy, seed);
        const auto forecaster = wanted.forecaster(copy, seed);
        const auto scheduler = wanted.scheduler(*forecaster, seed);
        EngineOptions options;
        options.clock = clock_s;
        const RunResult result = value_of(run_trace(copy, *scheduler, options));
        runs.push_back(measure(copy, result));
        summary.jct_h.push_back(runs.back().jct_mean_s / 3600);
    }
    summary.mean = average(runs);
    return summary;
}

Json Summary::detail() const {
    Json json;
    json.set("jct_h", mean.jct_mean_s / 3600).set("jct_p50_h", mean.jct_p50_s / 3600);
    json.set("jct_p95_h", mean.jct_p95_s / 3600).set("jct_p99_h", mean.jct_p99_s / 3600);
    json.set("jct_max_h", mean.jct_max_s / 3600).set("makespan_h", mean.makespan_s / 3600);
    json.set("rho_worst", mean.rho_worst).set("rho_mean", mean.rho_mean);
    json.set("unfair", mean.unfair).set("utilisation", mean.utilisation);
    json.set("cost", mean.cost).set("moves_per_job", mean.moves_per_job);
    json.set("decision_mean_ms", mean.decision_mean_s * 1e3);
    json.set("decision_p99_ms", mean.decision_p99_s * 1e3);
    json.set("decision_max_ms", mean.decision_max_s * 1e3);
    json.set("seeds", std::to_string(first_seed) + "-" + std::to_string(first_seed + seeds - 1));
    return json;
}

Result jct_result(const Summary& summary, const std::string& peer, double peer_h, Json detail) {
    const double value_h = summary.mean.jct_mean_s / 3600;
    return {value_h,
            "h",
            median(summary.jct_h),
            *std::ranges::min_element(summary.jct_h),
            *std::ranges::max_element(summary.jct_h),
            peer,
            value_h / peer_h,
            std::move(detail)};
}

}  // namespace bench

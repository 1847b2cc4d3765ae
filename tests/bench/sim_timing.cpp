// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// The figures of bench_sim that are about long traces and about time on this machine.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "core/placement/enumeration.hpp"
#include "core/placement/queue_plan.hpp"
#include "core/random.hpp"
#include "sim_cases.hpp"

namespace bench {

Result rank_classes(const Options& options);
Result decide(const Options& options);
Result speed(const Options& options);
Result single_gpu(const Options& options);

namespace {

using namespace epochcast;
using namespace epochcast::simulate;

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result times(std::vector<double> values, double value, std::string unit, Json detail) {
    return {value,
            std::move(unit),
            median(values),
            *std::ranges::min_element(values),
            *std::ranges::max_element(values),
            "",
            NAN,
            std::move(detail)};
}

// Runs the trace once with the shipped defaults and sigma 0.1; seconds it took in `wall_s`.
RunResult run_once(const Trace& trace, double& wall_s) {
    const Case own = own_case({}, 0.1);
    const auto forecaster = own.forecaster(trace, first_seed);
    const auto scheduler = own.scheduler(*forecaster, first_seed);
    const auto begin = std::chrono::steady_clock::now();
    auto result = run_trace(trace, *scheduler, {});
    wall_s = seconds_since(begin);
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

// A queue of so many jobs on 48 nodes of three classes, most of them busy for a while.
Queue random_queue(std::uint32_t jobs, Random& random) {
    Queue queue;
    queue.now_s = 1e5;
    const std::uint32_t nodes[] = {8, 16, 24};
    const double price[] = {2.85, 1.68, 0.52};
    const double slower[] = {1, 1.8, 6};
    for (std::size_t c = 0; c < 3; ++c) {
        PlanClass& plan_class = queue.classes.emplace_back();
        plan_class.price_per_unit_hour = price[c];
        for (std::uint32_t n = 0; n < nodes[c]; ++n) {
            const bool is_idle = random.below(4) == 0;
            plan_class.free_at_s.push_back(queue.now_s + (is_idle ? 0 : 7200 * random.uniform()));
        }
    }
    const auto random_job = [&](std::uint64_t id) {
        PlanJob job;
        job.id = id;
        job.submitted_s = queue.now_s - 7200 * random.uniform();
        job.isolated_s = 300 + 14400 * random.uniform();
        const std::uint32_t units = 1u << random.below(3);
        for (std::uint32_t c = 0; c < 3; ++c) {
            const double run_s = job.isolated_s * slower[c] * (0.8 + 0.4 * random.uniform());
            job.options.push_back({c, units, run_s, 0});
        }
        return job;
    };
    for (std::uint32_t j = 0; j < jobs; ++j) queue.jobs.push_back(random_job(j));
    queue.arrivals.rate_per_s = 6.6 / 3600;
    for (std::uint32_t j = 0; j < 100; ++j) queue.arrivals.samples.push_back(random_job(1000 + j));
    return queue;
}

// Milliseconds of a plan from nothing, and of the next one, which starts from the last.
std::vector<double> plan_times_ms(std::uint32_t jobs, std::uint32_t queues) {
    Random random(first_seed);
    std::vector<double> times_ms;
    for (std::uint32_t q = 0; q < queues; ++q) {
        const Queue queue = random_queue(jobs, random);
        PlanMemory memory;
        for (std::uint64_t again = 0; again < 2; ++again) {
            const auto begin = std::chrono::steady_clock::now();
            const QueuePlan plan = plan_queue(queue, {}, memory, q + again);
            times_ms.push_back(seconds_since(begin) * 1e3);
            if (plan.runs.size() != jobs) throw std::runtime_error("a job is missing in the plan");
        }
    }
    return times_ms;
}

}  // namespace

Result single_gpu(const Options& options) {
    Json detail;
    double worst = 0;
    for (const auto& [rate, published_h] : {std::pair{4.0, 16.82}, std::pair{6.0, 41.23}}) {
        const Trace trace = single_trace(options, rate);
        double wall_s = 0;
        const RunResult result = run_once(trace, wall_s);
        const Metrics metrics = measure(trace, result, 4000, 5000);
        const std::string at = std::to_string(rate).substr(0, 3) + "_jobs_per_h";
        detail.set("jct_h_" + at, metrics.jct_mean_s / 3600);
        detail.set("jct_max_h_" + at, metrics.jct_max_s / 3600).set("wall_s_" + at, wall_s);
        worst = std::max(worst, metrics.jct_mean_s / 3600 / published_h);
    }
    Result result = single(worst, "ratio", std::move(detail));
    result.peer = "published Gavel LAS: 16.82 and 41.23 h";
    result.ratio = worst;
    return result;
}

Result speed(const Options& options) {
    Trace trace = single_trace(options, 4);
    trace.jobs.resize(5000);
    std::vector<double> wall_s(std::max(1u, options.repeat));
    for (double& seconds : wall_s) run_once(trace, seconds);
    Json detail;
    detail.set("trace", "generated single, 4.0 jobs/h, 108 devices");
    return times(wall_s, median(wall_s), "s", std::move(detail));
}

Result decide(const Options& options) {
    const std::uint32_t queues = 100 * std::max(1u, options.repeat);
    const std::vector<double> hundred_ms = plan_times_ms(100, queues);
    const std::vector<double> more_ms = plan_times_ms(500, queues);
    Json detail;
    detail.set("p99_ms_at_500", percentile(more_ms, 0.99));
    detail.set("p50_ms_at_500", percentile(more_ms, 0.5));
    detail.set("p50_ms_at_100", percentile(hundred_ms, 0.5));
    return times(hundred_ms, percentile(hundred_ms, 0.99), "ms", std::move(detail));
}

Result rank_classes(const Options& options) {
    Random random(first_seed);
    std::vector<ClassOffer> offers;
    std::vector<Forecast> forecasts;
    for (std::uint32_t c = 0; c < 100; ++c) {
        const double price = 0.5 + 3 * random.uniform();
        offers.push_back({c, 8, 0, price, absent_count, 60 * random.uniform()});
        for (std::uint32_t n = 0; n < 8; ++n) {
            Forecast& forecast = forecasts.emplace_back();
            forecast.epoch.time_s = 20 + 500 * random.uniform() / (n + 1);
            forecast.samples_per_epoch = 50000;
        }
    }
    const auto look_up = [&](std::uint32_t c, std::uint32_t nodes, std::uint32_t) {
        return &forecasts[c * 8 + nodes - 1];
    };
    const Policy policy{0.5, 0.5, 0};
    constexpr std::uint32_t calls = 2000;
    std::vector<double> call_us;
    for (std::uint32_t call = 0; call < calls * std::max(1u, options.repeat); ++call) {
        const auto begin = std::chrono::steady_clock::now();
        const auto candidates = enumerate_placements({1, 8, 0, 0}, offers, look_up);
        const auto ranked = rank_placements(policy, 10 + call % 7, candidates);
        call_us.push_back(seconds_since(begin) * 1e6);
        if (ranked.size() != 800) throw std::runtime_error("a placement is missing");
    }
    Json detail;
    detail.set("p99_us", percentile(call_us, 0.99));
    const double value_us = median(call_us);
    return times(std::move(call_us), value_us, "us", std::move(detail));
}

}  // namespace bench

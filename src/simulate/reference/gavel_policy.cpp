// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/gavel_policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulate/reference/shares.hpp"

namespace epochcast::simulate {

namespace {

// Gavel's search for the makespan: bisection of [100 s, 10^6 s] until the ends are within 5 %;
// where nothing in it is feasible, of the next decade.
constexpr double shortest_s = 100;
constexpr double longest_s = 1e6;
constexpr double decade = 10;
constexpr double bisection_stop = 1.05;

ShareProblem problem_of(const Trace& trace, std::span<const std::uint32_t> live) {
    ShareProblem problem;
    problem.classes = trace.classes.size();
    for (const DeviceClass& device_class : trace.classes) {
        problem.capacity.push_back(device_class.devices);
    }
    for (const std::uint32_t j : live) {
        const TraceJob& job = trace.jobs[j];
        problem.devices.push_back(job.devices);
        problem.rate.insert(problem.rate.end(), job.steps_per_s.begin(), job.steps_per_s.end());
    }
    return problem;
}

// Rates in units of what the job gets from an equal share of the cluster, times its devices, over
// its weight.
void normalise(ShareProblem& problem, const Trace& trace, std::span<const std::uint32_t> live) {
    double devices = 0;
    for (const double capacity : problem.capacity) devices += capacity;
    for (std::size_t i = 0; i < live.size(); ++i) {
        double* rate = &problem.rate[i * problem.classes];
        double equal = 0;
        for (std::size_t c = 0; c < problem.classes; ++c) {
            equal += rate[c] * problem.capacity[c] / devices;
        }
        const TraceJob& job = trace.jobs[live[i]];
        for (std::size_t c = 0; c < problem.classes; ++c) {
            rate[c] *= job.devices / (equal * job.weight);
        }
    }
}

// The smallest time that the bisection finds feasible, where exactly `best_s` and above are.
double bisect(double best_s) {
    double low = shortest_s;
    double high = longest_s;
    double last_high = longest_s;
    double feasible = 0;
    while (feasible == 0) {
        while (bisection_stop * low < high) {
            const double middle = (low + high) / 2;
            if (middle > best_s) {
                feasible = middle;
                high = middle;
            } else {
                low = middle;
            }
        }
        high = last_high * decade;
        low = last_high;
        last_high *= decade;
    }
    return feasible;
}

Result<std::vector<double>> makespan_shares(ShareProblem problem,
                                            std::span<const std::uint32_t> live,
                                            std::span<const double> remaining) {
    for (std::size_t i = 0; i < live.size(); ++i) {
        for (std::size_t c = 0; c < problem.classes; ++c) {
            problem.rate[i * problem.classes + c] /= remaining[live[i]];
        }
    }
    const auto fastest = max_min_shares(problem);
    if (!fastest) return fastest.error();
    // A hair more than the optimum, so that a feasible time has an inside.
    const double best_s = (1 + 1e-6) / fastest.value().least;
    if (!std::isfinite(best_s)) {
        return Error{ErrorKind::bad_input, "the jobs' rates are too small for their work"};
    }
    auto central = central_shares(problem, 1 / bisect(best_s));
    if (!central) return central.error();
    return std::move(central.value().share);
}

std::vector<double> isolated_shares(const ShareProblem& problem) {
    const std::size_t jobs = problem.devices.size();
    std::vector<double> share(jobs * problem.classes);
    for (std::size_t i = 0; i < jobs; ++i) {
        double sum = 0;
        for (std::size_t c = 0; c < problem.classes; ++c) {
            share[i * problem.classes + c] =
                problem.capacity[c] / static_cast<double>(jobs) / problem.devices[i];
            sum += share[i * problem.classes + c];
        }
        for (std::size_t c = 0; c < problem.classes; ++c) {
            share[i * problem.classes + c] /= std::max(1.0, sum);
        }
    }
    return share;
}

}  // namespace

Result<std::vector<double>> gavel_shares(GavelPolicy policy,
                                         const Trace& trace,
                                         std::span<const std::uint32_t> live,
                                         std::span<const double> remaining) {
    if (live.empty()) return std::vector<double>();
    ShareProblem problem = problem_of(trace, live);
    if (policy == GavelPolicy::isolated) return isolated_shares(problem);
    if (policy == GavelPolicy::makespan) {
        return makespan_shares(std::move(problem), live, remaining);
    }
    if (policy == GavelPolicy::las_blind) std::ranges::fill(problem.rate, 1.0);
    normalise(problem, trace, live);
    auto shares = max_min_shares(problem);
    if (!shares) return shares.error();
    return std::move(shares.value().share);
}

}  // namespace epochcast::simulate

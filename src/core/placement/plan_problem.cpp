// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/plan_problem.hpp"

#include <algorithm>
#include <cassert>

namespace epochcast {

namespace {

// Per class, the units that are idle or held by anyone, with the time when each becomes free.
std::vector<std::vector<double>> free_times(const Queue& queue) {
    std::vector<std::vector<double>> free_s;
    free_s.reserve(queue.classes.size());
    for (const PlanClass& plan_class : queue.classes) free_s.push_back(plan_class.free_at_s);
    for (const PlanJob& job : queue.jobs) {
        if (!job.hold) continue;
        const PlanOption& option = job.options[job.hold->option];
        std::vector<double>& times = free_s[option.class_index];
        times.insert(times.end(), option.units, std::max(queue.now_s, job.hold->until_s));
    }
    for (std::vector<double>& times : free_s) {
        for (double& time_s : times) time_s = std::max(time_s, queue.now_s);
        std::sort(times.begin(), times.end());
    }
    return free_s;
}

double typical_time_s(const Queue& queue) {
    double sum_s = 0;
    double jobs = 0;
    const auto add = [&](const PlanJob& job) {
        if (job.options.empty()) return;
        sum_s += job.isolated_s;
        ++jobs;
    };
    for (const PlanJob& job : queue.arrivals.samples) add(job);
    if (jobs == 0) {
        for (const PlanJob& job : queue.jobs) add(job);
    }
    return jobs > 0 ? sum_s / jobs : 0;
}

}  // namespace

PlanProblem::PlanProblem(const Queue& queue, const PlanSettings& settings)
    : now_s(queue.now_s), typical_s(typical_time_s(queue)), free_s(free_times(queue)) {
    double units = 0;
    double price_of_all = 0;
    for (std::size_t c = 0; c < queue.classes.size(); ++c) {
        price_per_unit_s_.push_back(queue.classes[c].price_per_unit_hour / 3600);
        units += static_cast<double>(free_s[c].size());
        price_of_all += static_cast<double>(free_s[c].size()) * price_per_unit_s_.back();
    }
    if (!(price_of_all > 0)) {
        std::fill(price_per_unit_s_.begin(), price_per_unit_s_.end(), 1.0);
        price_of_all = units;
    }
    shadow_s_per_cost_ = units > 0 ? settings.shadow_price * units / price_of_all : 0;
    for (std::size_t j = 0; j < queue.jobs.size(); ++j) {
        const PlanJob& job = queue.jobs[j];
        if (job.hold && job.hold->is_firm && !job.hold->is_movable) continue;
        double release_s = std::max(now_s, job.release_s);
        if (job.hold) release_s = std::max(now_s, job.hold->until_s);
        add(job, static_cast<std::uint32_t>(j), job.submitted_s, release_s, &settings);
    }
}

void PlanProblem::expect(const PlanJob& sample, double release_s) {
    add(sample, phantom, release_s, release_s, nullptr);
}

void PlanProblem::add(const PlanJob& job,
                      std::uint32_t source,
                      double origin_s,
                      double release_s,
                      const PlanSettings* settings) {
    Job flat;
    flat.source = source;
    flat.first_option = static_cast<std::uint32_t>(options.size());
    flat.origin_s = origin_s;
    flat.release_s = release_s;
    flat.isolated_s = job.isolated_s;
    for (std::size_t o = 0; o < job.options.size(); ++o) {
        const PlanOption& option = job.options[o];
        assert(option.units >= 1 && option.run_s > 0);
        if (option.units > free_s[option.class_index].size()) continue;
        const double cost = option.run_s * option.units * price_per_unit_s_[option.class_index];
        options.push_back({option.class_index,
                           option.units,
                           option.run_s,
                           cost * (shadow_s_per_cost_ + job.trade_s_per_cost),
                           static_cast<std::uint32_t>(o)});
        if (job.hold && job.hold->option == o) {
            flat.held = static_cast<std::uint32_t>(options.size()) - 1;
            flat.leave_s = job.hold->is_firm ? settings->move_gain_s : 0;
            options.back().resume_s = settings->move_s;
        }
    }
    flat.last_option = static_cast<std::uint32_t>(options.size());
    if (flat.last_option > flat.first_option) jobs.push_back(flat);
}

}  // namespace epochcast

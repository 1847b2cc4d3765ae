// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/plan_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace epochcast {

namespace {

// Per class, when each of its units becomes free, whoever holds it.
std::vector<std::vector<double>> free_times(const Queue& queue) {
    std::vector<std::vector<double>> free_s;
    free_s.reserve(queue.classes.size());
    for (const PlanClass& plan_class : queue.classes) free_s.push_back(plan_class.free_at_s);
    for (const PlanJob& job : queue.jobs) {
        if (!job.hold) continue;
        const PlanOption& option = job.options[job.hold->option];
        std::vector<double>& times = free_s[option.class_index];
        times.insert(times.end(), option.units, job.hold->until_s);
    }
    for (std::vector<double>& times : free_s) {
        for (double& time_s : times) time_s = std::max(time_s, queue.now_s);
        std::sort(times.begin(), times.end());
    }
    return free_s;
}

double mean_isolated_s(const std::vector<PlanJob>& jobs) {
    double sum_s = 0;
    double count = 0;
    for (const PlanJob& job : jobs) {
        if (job.options.empty()) continue;
        sum_s += job.isolated_s;
        ++count;
    }
    return count > 0 ? sum_s / count : 0;
}

}  // namespace

PlanProblem::PlanProblem(const Queue& queue, const PlanSettings& settings)
    : now_s(queue.now_s),
      move_s(settings.move_s),
      typical_s(
          mean_isolated_s(queue.arrivals.samples.empty() ? queue.jobs : queue.arrivals.samples)),
      free_s(free_times(queue)),
      cost_shadow_(settings.cost_shadow),
      hope_(settings.moves == Moves::trial ? settings.hope : 0),
      doubt_(settings.moves == Moves::trial ? settings.doubt : 0) {
    set_prices(queue, settings.shadow_price);
    for (std::size_t j = 0; j < queue.jobs.size(); ++j) {
        const PlanJob& job = queue.jobs[j];
        if (job.hold && !job.hold->can_stop) continue;
        Job flat;
        flat.source = static_cast<std::uint32_t>(j);
        flat.origin_s = job.submitted_s;
        flat.release_s = std::max(now_s, job.hold ? job.hold->until_s : job.release_s);
        flat.is_firm = job.hold && job.hold->is_firm;
        if (job.hold) {
            flat.loyalty_s = flat.is_firm                     ? settings.move_gain_s
                             : settings.moves == Moves::trial ? settings.trial_gain_s
                                                              : 0;
        }
        flat.is_starving =
            !job.hold &&
            now_s - job.submitted_s > settings.starving_after * std::max(job.isolated_s, typical_s);
        if (add_options(job, flat)) jobs.push_back(flat);
    }
}

void PlanProblem::expect(const PlanJob& sample, double release_s) {
    Job flat;
    flat.origin_s = release_s;
    flat.release_s = release_s;
    if (add_options(sample, flat)) jobs.push_back(flat);
}

void PlanProblem::set_prices(const Queue& queue, double shadow_price) {
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
    shadow_s_per_cost_ = units > 0 ? shadow_price * units / price_of_all : 0;
}

// False if no option fits its class.
bool PlanProblem::add_options(const PlanJob& job, Job& flat) {
    flat.isolated_s = job.isolated_s;
    flat.tail_weight = 1 - job.cost_weight;
    const double s_per_cost =
        shadow_s_per_cost_ * (1 + cost_shadow_ * job.cost_weight) + job.trade_s_per_cost;
    flat.first_option = static_cast<std::uint32_t>(options.size());
    for (std::size_t o = 0; o < job.options.size(); ++o) {
        const PlanOption& option = job.options[o];
        assert(option.units >= 1 && option.run_s > 0);
        if (option.units > free_s[option.class_index].size()) continue;
        const bool is_held = job.hold && job.hold->option == o;
        const double deviations = is_held ? 0 : job.has_run ? doubt_ : -hope_;
        const double run_s = option.run_s * std::exp(deviations * option.spread);
        const double cost = run_s * option.units * price_per_unit_s_[option.class_index];
        if (is_held) flat.held_option = static_cast<std::uint32_t>(options.size());
        options.push_back({option.class_index,
                           option.units,
                           run_s,
                           cost * s_per_cost,
                           static_cast<std::uint32_t>(o)});
    }
    flat.last_option = static_cast<std::uint32_t>(options.size());
    return flat.last_option > flat.first_option;
}

}  // namespace epochcast

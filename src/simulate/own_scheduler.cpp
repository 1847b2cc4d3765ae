// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/own_scheduler.hpp"

#include <algorithm>
#include <cmath>

#include "core/placement/exploration.hpp"
#include "core/placement/queue_plan.hpp"

namespace epochcast::simulate {

namespace {

double declared_steps(const TraceJob& job) {
    return job.declared_steps > 0 ? job.declared_steps : job.steps;
}

constexpr double least_run_s = 1;

}  // namespace

double OwnScheduler::run_s(const View& view, std::uint32_t j, std::uint32_t c, double steps) const {
    const double step_s = forecaster_.step_s(j, c);
    if (!std::isnan(step_s)) return std::max(least_run_s, step_s * steps);
    const double slower = fastest_flop_rate_ / view.trace.classes[c].flop_rate;
    return unknown_run_s_ * (std::isfinite(slower) && slower > 0 ? slower : 1) * steps /
           declared_steps(view.trace.jobs[j]);
}

// What nothing is known of is taken to run as long as the median of the jobs that something is
// known of, on the class with the highest FLOP rate.
void OwnScheduler::guess_unknown(const View& view) {
    std::uint32_t fastest = 0;
    for (std::uint32_t c = 0; c < view.trace.classes.size(); ++c) {
        if (view.trace.classes[c].flop_rate > view.trace.classes[fastest].flop_rate) fastest = c;
    }
    fastest_flop_rate_ = view.trace.classes[fastest].flop_rate;
    std::vector<double> known_s;
    for (std::uint32_t j = 0; j < view.jobs.size(); ++j) {
        if (!view.jobs[j].has_arrived) break;
        const double step_s = forecaster_.step_s(j, fastest);
        if (std::isfinite(step_s)) known_s.push_back(step_s * declared_steps(view.trace.jobs[j]));
    }
    unknown_run_s_ = options_.unknown_run_s;
    if (known_s.empty()) return;
    const auto middle = known_s.begin() + static_cast<std::ptrdiff_t>(known_s.size() / 2);
    std::nth_element(known_s.begin(), middle, known_s.end());
    unknown_run_s_ = *middle;
}

PlanJob OwnScheduler::plan_job(const View& view, std::uint32_t j) const {
    const TraceJob& job = view.trace.jobs[j];
    const JobState& state = view.jobs[j];
    PlanJob planned;
    planned.id = j;
    planned.submitted_s = job.arrival_s;
    planned.task = forecaster_.task(j);
    planned.size = declared_steps(job) * static_cast<double>(std::max<std::uint64_t>(job.batch, 1)) * job.devices;
    planned.isolated_s = std::numeric_limits<double>::infinity();
    planned.may_try = state.runs == 0;
    const double left = std::max(1.0, declared_steps(job) - state.done_steps);
    for (std::uint32_t c = 0; c < view.trace.classes.size(); ++c) {
        if (!(job.steps_per_s[c] > 0)) continue;
        const bool is_here = state.run && state.run->class_index == c;
        double lead_s = state.runs > 0 ? view.move_s : 0;
        if (is_here) {
            lead_s = std::max(0.0, state.run->since_s + state.run->lead_s - view.now_s);
        }
        planned.isolated_s = std::min(planned.isolated_s, run_s(view, j, c, declared_steps(job)));
        const double work_s = run_s(view, j, c, left);
        if (is_here) {
            const auto option = static_cast<std::uint32_t>(planned.options.size());
            planned.hold = Hold{option, view.now_s + lead_s + work_s, true};
        }
        planned.options.push_back(
            {c, job.devices, lead_s + work_s, lead_s, forecaster_.is_timed(j, c),
             forecaster_.is_seen(j, c)});
    }
    if (state.run && (!state.run->is_firm || options_.plan.moves_firm)) {
        // What is left counts from the end of the epoch in progress.
        planned.hold->is_firm = state.run->is_firm;
        planned.hold->is_movable = true;
        const PlanOption& here = planned.options[planned.hold->option];
        planned.hold->until_s = state.run->epoch_end_s;
        if (!here.is_timed) {
            // Its end is not known before it was seen.
            const double elapsed_s = view.now_s - state.run->since_s;
            const double epoch_s = here.run_s * job.epoch_steps / std::max(1.0, left);
            planned.hold->until_s =
                std::max(state.run->since_s + epoch_s, view.now_s + 0.05 * elapsed_s);
        }
        const double in_epoch = job.epoch_steps -
                                std::fmod(state.done_steps + 1e-3, std::max(1.0, job.epoch_steps));
        for (PlanOption& option : planned.options) {
            const bool is_here = option.class_index == state.run->class_index;
            const double lead_s = is_here ? 0 : option.lead_s;
            const double work_s =
                run_s(view, j, option.class_index, std::max(1.0, left - in_epoch));
            option.run_s = lead_s + work_s;
            option.lead_s = lead_s;
        }
    }
    if (options_.policy.cost > 0) planned.trade_s_per_cost = 0;
    return planned;
}

void OwnScheduler::add_arrivals(const View& view, Queue& queue) {
    const double first_s = view.trace.jobs.front().arrival_s;
    const double elapsed_s = view.now_s - first_s;
    double later = 0;
    std::uint32_t seen = 0;
    for (const TraceJob& job : view.trace.jobs) {
        if (job.arrival_s > view.now_s) break;
        if (job.arrival_s > first_s) ++later;
        ++seen;
    }
    if (elapsed_s >= 3600) queue.arrivals.rate_per_s = later / (elapsed_s + 2 * 3600);
    const std::uint32_t first = seen > 200 ? seen - 200 : 0;
    for (std::uint32_t j = first; j < seen; ++j) {
        PlanJob sample;
        const TraceJob& job = view.trace.jobs[j];
        sample.isolated_s = std::numeric_limits<double>::infinity();
        for (std::uint32_t c = 0; c < view.trace.classes.size(); ++c) {
            if (!(job.steps_per_s[c] > 0)) continue;
            const double work_s = run_s(view, j, c, declared_steps(job));
            sample.options.push_back({c, job.devices, work_s, 0});
            sample.isolated_s = std::min(sample.isolated_s, work_s);
        }
        queue.arrivals.samples.push_back(std::move(sample));
    }
}

Queue OwnScheduler::queue_of(const View& view) {
    Queue queue;
    queue.now_s = view.now_s;
    for (std::size_t c = 0; c < view.trace.classes.size(); ++c) {
        PlanClass& plan_class = queue.classes.emplace_back();
        plan_class.free_at_s.assign(view.idle[c], view.now_s);
        plan_class.price_per_unit_hour = view.trace.classes[c].price_per_device_hour;
    }
    queued_.clear();
    for (const std::uint32_t j : view.live) {
        queue.jobs.push_back(plan_job(view, j));
        queued_.push_back(j);
    }
    add_arrivals(view, queue);
    return queue;
}

Actions OwnScheduler::decide(const View& view) {
    forecaster_.observe(view);
    guess_unknown(view);
    Queue queue = queue_of(view);
    std::vector<PlannedRun> trials;
    if (options_.plan.explores) trials = explore(queue, options_.plan);
    const std::uint64_t seed = options_.seed * 0x100000001b3u + decisions_++;
    const QueuePlan plan = plan_queue(queue, options_.plan, memory_, seed);
    Actions actions;
    actions.review_s = plan.review_s;
    const auto start = [&](const PlannedRun& run, bool is_firm) {
        const std::uint32_t c = queue.jobs[run.job].options[run.option].class_index;
        actions.starts.push_back({queued_[run.job], c, is_firm});
    };
    for (const PlannedRun& run : plan.starts) start(run, true);
    trials.insert(trials.end(), plan.trials.begin(), plan.trials.end());
    for (const PlannedRun& run : trials) start(run, false);
    for (const PlannedRun& run : plan.stopgaps) start(run, false);
    for (const std::uint32_t job : plan.confirms) actions.confirms.push_back(queued_[job]);
    for (const std::uint32_t job : plan.requeues) actions.requeues.push_back(queued_[job]);
    for (const std::uint32_t j : view.live) {
        const auto& run = view.jobs[j].run;
        if (run && !run->is_firm && !forecaster_.is_timed(j, run->class_index)) {
            actions.review_s = std::min(actions.review_s, run->epoch_end_s);
        }
    }
    if (!trials.empty()) actions.review_s = std::min(actions.review_s, view.now_s + 1);
    return actions;
}

}  // namespace epochcast::simulate

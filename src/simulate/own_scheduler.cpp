// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/own_scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/placement/queue_plan.hpp"
#include "core/placement/trade.hpp"

namespace epochcast::simulate {

namespace {

constexpr double least_run_s = 1;
// A rate of arrivals is known after the first hour, counted as if two more had passed without one.
constexpr double silence_s = 3600;
constexpr double doubt_s = 2 * 3600;
constexpr std::uint32_t most_samples = 200;  // of the last jobs, for the rehearsal

double declared_steps(const TraceJob& job) {
    return job.declared_steps > 0 ? job.declared_steps : job.steps;
}

double steps_left(const View& view, std::uint32_t j) {
    return std::max(1.0, declared_steps(view.trace.jobs[j]) - view.jobs[j].done_steps);
}

// Seconds per step of the job's run on the class, once an epoch of it has ended; else NaN.
double observed_step_s(const JobState& state, std::uint32_t c, double epoch_steps, double now_s) {
    if (!state.run || state.run->class_index != c) return std::numeric_limits<double>::quiet_NaN();
    const double steps = state.done_steps - state.run->done_before;
    if (!(steps > 0) || steps < epoch_steps) return std::numeric_limits<double>::quiet_NaN();
    return (now_s - state.run->since_s - state.run->lead_s) / steps;
}

}  // namespace

double OwnScheduler::run_s(const View& view, std::uint32_t j, std::uint32_t c, double steps) const {
    double step_s = observed_step_s(view.jobs[j], c, view.trace.jobs[j].epoch_steps, view.now_s);
    if (std::isnan(step_s)) step_s = forecaster_.step_s(j, c);
    if (!std::isnan(step_s)) return std::max(least_run_s, step_s * steps);
    const double slower = highest_flop_rate_ / view.trace.classes[c].flop_rate;
    return unknown_run_s_ * (std::isfinite(slower) && slower > 0 ? slower : 1) * steps /
           declared_steps(view.trace.jobs[j]);
}

// What nothing is known of is taken to run as long as the median of the jobs that something is
// known of, on the class with the highest FLOP rate; elsewhere by FLOP rate.
void OwnScheduler::guess_unknown(const View& view) {
    const auto& classes = view.trace.classes;
    const auto fastest = std::ranges::max_element(classes, {}, &DeviceClass::flop_rate);
    highest_flop_rate_ = fastest->flop_rate;
    const auto c = static_cast<std::uint32_t>(fastest - classes.begin());
    std::vector<double> known_s;
    for (std::uint32_t j = 0; j < view.jobs.size() && view.jobs[j].has_arrived; ++j) {
        const double step_s = forecaster_.step_s(j, c);
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
    planned.task = forecaster_.task(j);
    planned.size = declared_steps(job) * static_cast<double>(std::max<std::uint64_t>(job.batch, 1));
    planned.submitted_s = job.arrival_s;
    planned.isolated_s = std::numeric_limits<double>::infinity();
    planned.has_run = state.runs > 0;
    const double lead_s = state.runs > 0 ? view.move_s : 0;
    for (std::uint32_t c = 0; c < view.trace.classes.size(); ++c) {
        if (!(job.steps_per_s[c] > 0)) continue;
        planned.isolated_s = std::min(planned.isolated_s, run_s(view, j, c, declared_steps(job)));
        planned.options.push_back({c,
                                   job.devices,
                                   lead_s + run_s(view, j, c, steps_left(view, j)),
                                   lead_s,
                                   forecaster_.is_timed(j, c),
                                   forecaster_.is_seen(j, c),
                                   forecaster_.spread(j, c)});
    }
    if (state.run) hold(view, j, planned);
    return planned;
}

// Adds what the job holds now; where it can stop, its options count from the end of its epoch.
void OwnScheduler::hold(const View& view, std::uint32_t j, PlanJob& planned) const {
    const TraceJob& job = view.trace.jobs[j];
    const Run& run = *view.jobs[j].run;
    const auto found =
        std::ranges::find(planned.options, run.class_index, &PlanOption::class_index);
    PlanOption& here = *found;
    here.run_s -= here.lead_s;
    here.lead_s = std::max(0.0, run.since_s + run.lead_s - view.now_s);
    here.run_s += here.lead_s;
    Hold& hold = planned.hold.emplace();
    hold.option = static_cast<std::uint32_t>(found - planned.options.begin());
    hold.is_firm = run.is_firm;
    hold.can_stop = !run.is_firm || options_.plan.moves == Moves::any;
    hold.until_s = view.now_s + here.run_s;
    if (!hold.can_stop) return;
    hold.until_s = run.epoch_end_s;
    if (!here.is_timed) {
        // The end of an epoch that was never timed is not known before it comes.
        const double epoch_s = run_s(view, j, run.class_index, job.epoch_steps);
        hold.until_s = std::max(run.since_s + run.lead_s + epoch_s,
                                view.now_s + 0.05 * (view.now_s - run.since_s));
    }
    const double epoch = std::max(1.0, job.epoch_steps);
    const double left_in_epoch = epoch - std::fmod(view.jobs[j].done_steps + 1e-3, epoch);
    const double left = std::max(1.0, steps_left(view, j) - left_in_epoch);
    here.lead_s = 0;
    for (PlanOption& option : planned.options) {
        option.run_s = option.lead_s + run_s(view, j, option.class_index, left);
    }
}

void OwnScheduler::set_policy(const std::vector<PlanClass>& classes, PlanJob& job) const {
    job.cost_weight = options_.policy.cost;
    job.trade_s_per_cost = trade_s_per_cost(options_.policy, job.options, classes);
}

void OwnScheduler::add_arrivals(const View& view, Queue& queue) const {
    const double first_s = view.trace.jobs.front().arrival_s;
    std::uint32_t seen = 0;
    double later = 0;
    for (const TraceJob& job : view.trace.jobs) {
        if (job.arrival_s > view.now_s) break;
        if (job.arrival_s > first_s) ++later;
        ++seen;
    }
    const double elapsed_s = view.now_s - first_s;
    if (elapsed_s >= silence_s) queue.arrivals.rate_per_s = later / (elapsed_s + doubt_s);
    for (std::uint32_t j = seen > most_samples ? seen - most_samples : 0; j < seen; ++j) {
        PlanJob& sample = queue.arrivals.samples.emplace_back();
        const TraceJob& job = view.trace.jobs[j];
        sample.isolated_s = std::numeric_limits<double>::infinity();
        for (std::uint32_t c = 0; c < view.trace.classes.size(); ++c) {
            if (!(job.steps_per_s[c] > 0)) continue;
            const double work_s = run_s(view, j, c, declared_steps(job));
            sample.options.push_back({c, job.devices, work_s, 0});
            sample.isolated_s = std::min(sample.isolated_s, work_s);
        }
        set_policy(queue.classes, sample);
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
    for (const std::uint32_t j : view.live) {
        PlanJob& job = queue.jobs.emplace_back(plan_job(view, j));
        set_policy(queue.classes, job);
    }
    add_arrivals(view, queue);
    return queue;
}

// When the first epoch of a job on trial ends.
double OwnScheduler::review_s(const View& view) const {
    double next_s = std::numeric_limits<double>::infinity();
    for (const std::uint32_t j : view.live) {
        const auto& run = view.jobs[j].run;
        if (!run || run->is_firm || forecaster_.is_timed(j, run->class_index)) continue;
        next_s = std::min(next_s, run->epoch_end_s);
    }
    return next_s;
}

Actions OwnScheduler::decide(const View& view) {
    forecaster_.observe(view);
    guess_unknown(view);
    const Queue queue = queue_of(view);
    const std::uint64_t seed = options_.seed * 0x100000001b3u + decisions_++;
    const QueuePlan plan = plan_queue(queue, options_.plan, memory_, seed);
    Actions actions;
    actions.review_s = std::min(plan.review_s, review_s(view));
    // An epoch's end is known to the engine only once its run has begun: ask again then.
    if (!plan.trials.empty()) actions.review_s = view.now_s + 1;
    const auto start = [&](const std::vector<PlannedRun>& runs, bool is_firm) {
        for (const PlannedRun& run : runs) {
            const std::uint32_t c = queue.jobs[run.job].options[run.option].class_index;
            actions.starts.push_back({view.live[run.job], c, is_firm});
        }
    };
    start(plan.starts, true);
    start(plan.trials, false);
    start(plan.stopgaps, false);
    for (const std::uint32_t job : plan.confirms) actions.confirms.push_back(view.live[job]);
    for (const std::uint32_t job : plan.requeues) actions.requeues.push_back(view.live[job]);
    return actions;
}

}  // namespace epochcast::simulate

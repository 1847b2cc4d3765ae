// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/engine.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace epochcast::simulate {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double tick_s = 1e-6;         // events closer than this are one moment
constexpr double part_of_epoch = 1e-6;  // an epoch counts as ended this close to its end

class Engine {
  public:
    Engine(const Trace& trace, Scheduler& scheduler, const EngineOptions& options)
        : trace_(trace), scheduler_(scheduler), options_(options), jobs_(trace.jobs.size()) {
        result_.jobs.resize(trace.jobs.size());
        for (const DeviceClass& device_class : trace.classes) idle_.push_back(device_class.devices);
    }

    Result<RunResult> run() {
        while (finished_ < jobs_.size()) {
            const double next_s = next_event_s();
            if (next_s == never) return stuck();
            now_s_ = std::max(now_s_, next_s);
            const bool happened = advance();
            if (!happened && now_s_ + tick_s < review_s_) continue;
            if (finished_ == jobs_.size()) break;
            if (const auto decided = decide(); !decided) return decided.error();
        }
        return std::move(result_);
    }

  private:
    const TraceJob& trace_job(std::uint32_t j) const { return trace_.jobs[j]; }

    double rate(std::uint32_t j) const {
        return trace_job(j).steps_per_s[jobs_[j].run->class_index];
    }

    double end_s(std::uint32_t j) const {
        const Run& run = *jobs_[j].run;
        return run.since_s + run.lead_s + (trace_job(j).steps - run.done_before) / rate(j);
    }

    // When the run next leaves its devices, for good or at the end of an epoch.
    double leave_s(std::uint32_t j) const {
        const Run& run = *jobs_[j].run;
        return run.is_stopping ? std::min(end_s(j), run.epoch_end_s) : end_s(j);
    }

    double on_round(double time_s) const {
        if (options_.round_s <= 0 || time_s == never) return time_s;
        return std::ceil(time_s / options_.round_s - 1e-9) * options_.round_s;
    }

    // With rounds, devices become free at once, but nobody decides before the next round.
    double next_event_s() const {
        double next_s = review_s_;
        if (next_arrival_ < jobs_.size()) {
            next_s = std::min(next_s, on_round(trace_.jobs[next_arrival_].arrival_s));
        }
        for (const std::uint32_t j : live_) {
            if (jobs_[j].run) next_s = std::min(next_s, leave_s(j));
        }
        if (pending_) next_s = std::min(next_s, on_round(now_s_));
        return next_s;
    }

    // Brings all jobs to now_s_; true if it is time to decide because something happened.
    bool advance() {
        while (next_arrival_ < jobs_.size() &&
               trace_.jobs[next_arrival_].arrival_s <= now_s_ + tick_s) {
            jobs_[next_arrival_].has_arrived = true;
            live_.push_back(next_arrival_++);
            pending_ = true;
        }
        for (const std::uint32_t j : live_) {
            if (jobs_[j].run && leave_s(j) <= now_s_ + tick_s) leave(j);
        }
        std::erase_if(live_, [&](std::uint32_t j) { return jobs_[j].has_finished; });
        for (const std::uint32_t j : live_) {
            if (jobs_[j].run) progress(j);
        }
        if (!pending_ || on_round(now_s_) > now_s_ + tick_s) return false;
        pending_ = false;
        return true;
    }

    void progress(std::uint32_t j) {
        JobState& job = jobs_[j];
        const double worked_s = std::max(0.0, now_s_ - job.run->since_s - job.run->lead_s);
        job.done_steps = std::min(trace_job(j).steps, job.run->done_before + worked_s * rate(j));
        if (!job.run->is_stopping) job.run->epoch_end_s = epoch_end_s(j);
    }

    // End of the epoch in progress; now, if one has just ended.
    double epoch_end_s(std::uint32_t j) const {
        const Run& run = *jobs_[j].run;
        const double epoch = trace_job(j).epoch_steps;
        if (epoch <= 0) return now_s_;
        const double epochs = jobs_[j].done_steps / epoch;
        const bool has_just_ended = jobs_[j].done_steps > run.done_before + epoch * part_of_epoch &&
                                    std::abs(epochs - std::round(epochs)) < part_of_epoch;
        const double ends =
            has_just_ended ? std::round(epochs) : std::floor(epochs + part_of_epoch) + 1;
        const double steps = std::min(trace_job(j).steps, ends * epoch);
        return run.since_s + run.lead_s + (steps - run.done_before) / rate(j);
    }

    void leave(std::uint32_t j) {
        progress(j);
        JobState& job = jobs_[j];
        const bool ends = end_s(j) <= now_s_ + tick_s;
        const double leaves_s = std::min(now_s_, leave_s(j));
        account(j, leaves_s);
        idle_[job.run->class_index] += trace_job(j).devices;
        result_.jobs[j].last_class = job.run->class_index;
        job.last_run = *job.run;
        job.run.reset();
        pending_ = true;
        if (!ends) return;
        job.done_steps = trace_job(j).steps;
        job.has_finished = true;
        result_.jobs[j].finish_s = leaves_s;
        ++finished_;
    }

    void account(std::uint32_t j, double until_s) {
        const double device_s = (until_s - jobs_[j].run->since_s) * trace_job(j).devices;
        result_.jobs[j].busy_device_s += device_s;
        result_.jobs[j].cost +=
            device_s / 3600 * trace_.classes[jobs_[j].run->class_index].price_per_device_hour;
    }

    Result<void> decide() {
        const double before = options_.clock ? options_.clock() : 0;
        const View view{now_s_, trace_, jobs_, live_, idle_, options_.move_s};
        Actions actions = scheduler_.decide(view);
        if (options_.clock) result_.decision_s.push_back(options_.clock() - before);
        review_s_ = std::max(on_round(actions.review_s), now_s_ + tick_s);
        for (const std::uint32_t j : actions.confirms) {
            if (jobs_[j].run) jobs_[j].run->is_firm = true;
        }
        for (const std::uint32_t j : actions.requeues) {
            if (jobs_[j].run) jobs_[j].run->is_stopping = true;
        }
        for (const Start& start : actions.starts) {
            if (const auto started = begin(start); !started) return started.error();
        }
        return {};
    }

    Result<void> begin(const Start& start) {
        const auto refuse = [&](const std::string& why) {
            return Error{ErrorKind::bad_input,
                         "the scheduler started job " + trace_job(start.job).id + " " + why};
        };
        JobState& job = jobs_[start.job];
        const TraceJob& wanted = trace_job(start.job);
        if (!job.has_arrived || job.has_finished || job.run) return refuse("that does not wait");
        if (!(wanted.steps_per_s[start.class_index] > 0)) return refuse("where it does not fit");
        if (wanted.devices > idle_[start.class_index])
            return refuse("on devices that are not idle");
        idle_[start.class_index] -= wanted.devices;
        JobResult& outcome = result_.jobs[start.job];
        if (job.runs == 0) outcome.start_s = now_s_;
        if (job.runs > 0) ++outcome.moves;
        job.run = Run{start.class_index,
                      now_s_,
                      job.runs > 0 ? options_.move_s : 0,
                      job.done_steps,
                      start.is_firm,
                      false,
                      0};
        ++job.runs;
        progress(start.job);
        return {};
    }

    Error stuck() const {
        for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
            if (jobs_[j].has_finished) continue;
            return Error{ErrorKind::bad_input,
                         "the scheduler left job " + trace_job(j).id + " waiting for ever"};
        }
        return Error{ErrorKind::bad_input, "the scheduler left jobs waiting for ever"};
    }

    const Trace& trace_;
    Scheduler& scheduler_;
    const EngineOptions& options_;
    std::vector<JobState> jobs_;
    std::vector<std::uint32_t> live_;
    std::vector<std::uint32_t> idle_;
    RunResult result_;
    double now_s_ = 0;
    double review_s_ = never;
    std::uint32_t next_arrival_ = 0;
    std::size_t finished_ = 0;
    bool pending_ = false;
};

}  // namespace

Result<RunResult> run_trace(const Trace& trace,
                            Scheduler& scheduler,
                            const EngineOptions& options) {
    return Engine(trace, scheduler, options).run();
}

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Runs a trace under a scheduler, from event to event: arrivals, ends of jobs, ends of epochs at
// which a job was asked to stop, and times at which the scheduler wants to be asked again. The
// engine knows what jobs really do; a scheduler sees of it what a real one could see.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

// A job's hold of devices of one class.
struct Run {
    std::uint32_t class_index = 0;
    double since_s = 0;
    double lead_s = 0;       // restoring after a requeue: no work in the first seconds
    double done_before = 0;  // steps done when it started
    bool is_firm = true;
    bool is_stopping = false;  // asked to stop at epoch_end_s
    double epoch_end_s = 0;    // end of the epoch in progress, at least now
};

struct JobState {
    bool has_arrived = false;
    bool has_finished = false;
    double done_steps = 0;  // by View::now_s, of whole and partial epochs
    std::uint32_t runs = 0;
    std::optional<Run> run;
    Run last_run;  // the one before, or the one that ended; meaningful where runs says so
};

struct View {
    double now_s = 0;
    const Trace& trace;
    std::span<const JobState> jobs;
    std::span<const std::uint32_t> live;  // jobs that have arrived and not finished, in order
    std::span<const std::uint32_t> idle;  // devices per class
    double move_s = 0;                    // what restoring after a requeue takes
};

struct Start {
    std::uint32_t job = 0;
    std::uint32_t class_index = 0;
    bool is_firm = true;  // false: works meanwhile, without a claim
};

struct Actions {
    std::vector<Start> starts;            // carried out in this order
    std::vector<std::uint32_t> confirms;  // runs without a claim that become firm
    std::vector<std::uint32_t> requeues;  // runs that stop at the end of their epoch
    double review_s = std::numeric_limits<double>::infinity();  // ask again then
};

class Scheduler {
  public:
    virtual ~Scheduler() = default;
    virtual Actions decide(const View& view) = 0;
};

struct EngineOptions {
    double move_s = 180;  // restoring after a requeue
    double round_s = 0;   // decide only at multiples of it; 0: at every event
    // Seconds on a clock of the caller's, for RunResult::decision_s; empty: not measured.
    std::function<double()> clock;
};

// Runs the trace to its end. Errors (bad_input): a scheduler that starts a job which has not
// arrived, runs already or does not fit, takes devices that are not idle, or leaves jobs waiting
// for ever; the job is named.
Result<RunResult> run_trace(const Trace& trace, Scheduler& scheduler, const EngineOptions& options);

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/learning_forecaster.hpp"

#include <algorithm>
#include <cmath>

namespace epochcast::simulate {

namespace {

// Epochs of a run that are recorded one by one; more change a robust mean little.
constexpr std::uint64_t recorded_epochs = 8;

TaskAttributes attributes_of(const TraceJob& job) {
    TaskAttributes attributes;
    attributes.model = job.task;
    const auto steps = static_cast<std::uint64_t>(std::llround(job.epoch_steps));
    // The traces' steps count every device's.
    attributes.samples_per_epoch = steps * std::max<std::uint64_t>(job.batch, 1);
    if (job.batch > 0) attributes.batch_per_device = job.batch;
    return attributes;
}

// By the interval, which holds 90 % of all cases.
double spread_of(const Forecast& forecast) {
    const double deviations = std::log(forecast.epoch_high_s / forecast.epoch_low_s);
    return std::isfinite(deviations) ? deviations / (2 * 1.645) : 0;
}

std::vector<NodeClass> node_classes(const Trace& trace) {
    std::vector<NodeClass> classes;
    for (const DeviceClass& device_class : trace.classes) {
        NodeClass& node_class = classes.emplace_back();
        node_class.name = device_class.name;
        if (device_class.flop_rate > 0) node_class.flop_rate = device_class.flop_rate;
    }
    return classes;
}

}  // namespace

LearningForecaster::LearningForecaster(const Trace& trace, double sigma, std::uint64_t seed)
    : trace_(trace),
      sigma_(sigma),
      random_(seed),
      index_({}, node_classes(trace)),
      seen_(trace.jobs.size()) {
    for (const TraceJob& job : trace.jobs) {
        const TaskKey task{"cluster", job.task};
        const TaskAttributes attributes = attributes_of(job);
        const auto found = std::ranges::find_if(kinds_, [&](const Kind& kind) {
            return kind.task == task && kind.attributes == attributes &&
                   kind.devices == job.devices;
        });
        kind_of_.push_back(static_cast<std::uint32_t>(found - kinds_.begin()));
        if (found != kinds_.end()) continue;
        Kind& kind = kinds_.emplace_back();
        kind.task = task;
        kind.attributes = attributes;
        kind.devices = job.devices;
        kind.epoch_steps = job.epoch_steps;
        kind.measured.resize(trace.classes.size());
        kind.step_s.assign(trace.classes.size(), absent);
        kind.spread.assign(trace.classes.size(), 0);
    }
}

void LearningForecaster::record(std::uint32_t j,
                                const Run& run,
                                std::uint64_t epochs,
                                double now_s) {
    const TraceJob& job = trace_.jobs[j];
    Kind& kind = kinds_[kind_of_[j]];
    std::optional<Series>& series = kind.measured[run.class_index];
    if (!series) {
        series = Series{kind.task,
                        kind.attributes,
                        Placement{trace_.classes[run.class_index].name, 1, job.devices},
                        {},
                        {}};
    }
    const double epoch_s = job.epoch_steps / job.steps_per_s[run.class_index];
    for (; seen_[j].epochs < epochs && seen_[j].epochs < recorded_epochs; ++seen_[j].epochs) {
        EpochRecord record;
        record.epoch = seen_[j].epochs;
        record.start_ns = static_cast<std::uint64_t>(now_s * 1e9);
        record.wall_s = epoch_s * std::exp(sigma_ * random_.normal());
        record.samples = *kind.attributes.samples_per_epoch;
        series->records.push_back(record);
    }
    index_.update(*series);
}

void LearningForecaster::observe(const View& view) {
    bool is_new = false;
    for (std::uint32_t j = 0; j < view.jobs.size(); ++j) {
        const JobState& state = view.jobs[j];
        if (state.runs == 0) continue;
        if (seen_[j].run != state.runs) {
            // The run before ended since; what it did is known from its job's progress.
            seen_[j] = {state.runs, 0};
        }
        const Run& run = state.run ? *state.run : state.last_run;
        const double done = state.done_steps - run.done_before;
        const auto epochs = static_cast<std::uint64_t>(done / trace_.jobs[j].epoch_steps + 1e-6);
        if (epochs > seen_[j].epochs && seen_[j].epochs < recorded_epochs) {
            record(j, run, epochs, view.now_s);
            is_new = true;
        }
    }
    if (is_new) forecast_again();
}

void LearningForecaster::forecast_again() {
    for (Kind& kind : kinds_) {
        for (std::size_t c = 0; c < kind.step_s.size(); ++c) {
            const Placement placement{trace_.classes[c].name, 1, kind.devices};
            const auto forecast = index_.forecast(kind.task, kind.attributes, placement);
            kind.step_s[c] = absent;
            // A task never seen is guessed by declared sizes, of which a trace has none.
            if (!forecast || forecast->rule == Rule::similar_task) continue;
            kind.step_s[c] = forecast->epoch.time_s / kind.epoch_steps;
            kind.spread[c] = forecast->rule == Rule::same_placement ? 0 : spread_of(*forecast);
        }
    }
}

double LearningForecaster::step_s(std::uint32_t job, std::uint32_t c) const {
    return kinds_[kind_of_[job]].step_s[c];
}

double LearningForecaster::spread(std::uint32_t job, std::uint32_t c) const {
    return kinds_[kind_of_[job]].spread[c];
}

bool LearningForecaster::is_timed(std::uint32_t job, std::uint32_t c) const {
    return kinds_[kind_of_[job]].measured[c].has_value();
}

bool LearningForecaster::is_seen(std::uint32_t job, std::uint32_t c) const {
    const TaskKey& task = kinds_[kind_of_[job]].task;
    return std::ranges::any_of(kinds_, [&](const Kind& kind) {
        return kind.task == task && kind.measured[c].has_value();
    });
}

std::uint64_t LearningForecaster::task(std::uint32_t job) const {
    const TaskKey& task = kinds_[kind_of_[job]].task;
    const auto first = std::ranges::find_if(kinds_, [&](const Kind& k) { return k.task == task; });
    return static_cast<std::uint64_t>(first - kinds_.begin());
}

}  // namespace epochcast::simulate

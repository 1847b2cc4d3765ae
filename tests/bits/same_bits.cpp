// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Prints a checksum of everything that a small simulation decides and measures, for each of our
// ways to schedule. `compare` runs it as differently as it can be built and run: the lines must not
// differ in a bit.

#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "simulate/learning_forecaster.hpp"
#include "simulate/own_scheduler.hpp"
#include "simulate/reference/gavel_rounds.hpp"

namespace epochcast::simulate {
namespace {

// FNV-1a over whole words.
class Checksum {
  public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u; }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

// 40 jobs of six tasks with three batches; their speeds on three classes come from one formula.
Trace small_trace() {
    Trace trace{{{"a", 4, 3.0, 8e12}, {"b", 6, 1.2, 3e12}, {"c", 8, 0.4, 1e12}}, {}};
    Random random(2026);
    double arrival_s = 0;
    for (std::uint32_t j = 0; j < 40; ++j) {
        TraceJob job;
        const std::uint32_t kind = random.below(6);
        job.id = std::to_string(j);
        job.task = "task-" + std::to_string(kind);
        job.batch = 16u << random.below(3);
        job.devices = 1u << random.below(3);
        job.arrival_s = arrival_s;
        arrival_s += j % 10 == 0 ? 0 : 600 * random.exponential();
        const double work = 1 + 0.1 * kind + 0.02 * static_cast<double>(job.batch);
        for (const double speed : {8.0, 3.0 + 0.5 * kind, 1.0}) {
            job.steps_per_s.push_back(speed * job.devices / work);
        }
        job.steps = 20000 * (0.2 + random.exponential());
        job.epoch_steps = 500;
        if (random.below(2) == 0) job.declared_steps = job.steps * (1 + 2 * random.uniform());
        trace.jobs.push_back(job);
    }
    return trace;
}

void print(const char* name, const Result<RunResult>& result) {
    if (!result) {
        std::printf("%s %s\n", name, result.error().message.c_str());
        return;
    }
    Checksum sum;
    for (const JobResult& job : result.value().jobs) {
        for (const double number : {job.start_s, job.finish_s, job.busy_device_s, job.cost}) {
            sum.add(number);
        }
        sum.add(static_cast<std::uint64_t>(job.moves) << 32 | job.last_class);
    }
    std::printf("%s %016llx\n", name, static_cast<unsigned long long>(sum.value()));
}

void run_ours(const char* name, const Trace& trace, Forecaster& forecaster, OwnOptions own) {
    own.seed = 7;
    OwnScheduler scheduler(forecaster, own);
    print(name, run_trace(trace, scheduler, {}));
}

}  // namespace
}  // namespace epochcast::simulate

int main() {
    using namespace epochcast::simulate;
    const Trace trace = small_trace();
    NoisyForecaster once(trace, 0.1, 3);
    run_ours("once", trace, once, {});
    NoisyForecaster moves(trace, 0.1, 3);
    OwnOptions moving;
    moving.plan = epochcast::PlanSettings::with_moves();
    moving.policy = {0.5, 0.5, 0};
    run_ours("moves", trace, moves, moving);
    LearningForecaster closed(trace, 0.05, 3);
    OwnOptions trial;
    trial.plan.moves = epochcast::Moves::trial;
    run_ours("closed", trace, closed, trial);
    print("gavel-las", run_gavel(trace, GavelPolicy::las, {}));
    return 0;
}

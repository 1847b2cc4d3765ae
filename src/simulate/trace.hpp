// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A cluster and the jobs that arrive at it, with what each job really does on each class. Devices
// are free units: a job takes `devices` of one class, wherever they are.

#include <cstdint>
#include <string>
#include <vector>

namespace epochcast::simulate {

struct DeviceClass {
    std::string name;
    std::uint32_t devices = 0;
    double price_per_device_hour = 0;
    double flop_rate = 0;  // of one device, FLOP/s; 0: not known
};

struct TraceJob {
    std::string id;
    std::string task;                 // e.g. the model's family; the history is kept per task
    std::uint64_t batch = 0;          // attribute; 0: not stated
    std::uint32_t devices = 1;        // scale factor
    double arrival_s = 0;             // since the start of the trace
    double steps = 0;                 // work
    std::vector<double> steps_per_s;  // by class index; 0: does not fit there
    double limit_s = 0;               // time limit; 0: none
    double weight = 1;
    double epoch_steps = 0;     // steps of an epoch; 0: it can stop at any time
    double declared_steps = 0;  // what its user declared; 0: exactly `steps`
};

struct Trace {
    std::vector<DeviceClass> classes;
    std::vector<TraceJob> jobs;  // sorted by arrival_s, then id order of the source
};

// What became of one job.
struct JobResult {
    double start_s = -1;       // first start; -1: never
    double finish_s = -1;      // -1: never
    double busy_device_s = 0;  // devices x seconds that it held devices
    double cost = 0;
    std::uint32_t moves = 0;  // requeues after its first start
    std::uint32_t last_class = 0;
};

// Results of a run, job by job in the order of Trace::jobs; metrics.hpp sums them up.
struct RunResult {
    std::vector<JobResult> jobs;
    std::vector<double> decision_s;  // wall time of each decision, filled by the caller's clock
};

}  // namespace epochcast::simulate

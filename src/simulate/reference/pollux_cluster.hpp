// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Pollux's simulator (Qiao et al., OSDI 2021, section 5.3): identical nodes, decisions at the end
// of each round, jobs that may change their devices at any round at the price of 30 s. What a job
// does comes from measured profiles; what is left of a round after an epoch is used by the next
// one.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "simulate/readers/pollux.hpp"

namespace epochcast::simulate {

// A live job as a policy sees it.
struct PolluxView {
    std::uint32_t job = 0;  // number in the workload
    const PolluxJob* asked = nullptr;
    const PolluxProfile* profile = nullptr;
    std::size_t epoch = 0;  // epochs done
};

// For each device of a job its node, devices of one node side by side; by job number.
using PolluxAllocation = std::map<std::uint32_t, std::vector<std::uint32_t>>;

class PolluxPolicy {
  public:
    virtual ~PolluxPolicy() = default;

    // The allocation for the next round. `live` is in the order of the workload, `before` holds the
    // live jobs' devices. `now_s`: whole seconds since the start.
    virtual PolluxAllocation decide(double now_s,
                                    const std::vector<PolluxView>& live,
                                    const PolluxAllocation& before) = 0;
};

struct PolluxCluster {
    std::uint32_t nodes = 16;
    std::uint32_t devices_per_node = 4;
    double round_s = 60;
    double restart_s = 30;  // no work after a change of devices
};

// Completion times less submission times, seconds, in the order of the workload. Errors
// (bad_input): a job whose application has no profile or that never gets to run.
Result<std::vector<double>> run_pollux(const std::vector<PolluxJob>& workload,
                                       const std::map<std::string, PolluxProfile>& profiles,
                                       PolluxPolicy& policy,
                                       const PolluxCluster& cluster);

// How a batch is cut for a number of replicas: batch per replica and pass, and passes before each
// step that only accumulate.
struct BatchCut {
    std::uint64_t local_batch = 0;
    std::uint64_t accumulations = 0;
};

// `must_accumulate`: at least one accumulation, which Pollux needs to measure noise on one replica.
BatchCut cut_batch(const PolluxProfile& profile,
                   std::uint64_t batch,
                   std::uint32_t replicas,
                   bool must_accumulate);

// Seconds of a whole step with its accumulations.
double whole_step_s(const PolluxProfile& profile,
                    const std::vector<std::uint32_t>& placement,
                    const BatchCut& cut);

}  // namespace epochcast::simulate

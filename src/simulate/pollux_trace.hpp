// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A Pollux workload as a trace for schedulers that give each job the devices it asks for: one class
// of identical nodes, so that only the order of the queue can differ.

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "simulate/readers/pollux.hpp"
#include "simulate/reference/pollux_cluster.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

// All that Pollux's own simulation needs.
struct PolluxSetting {
    std::vector<PolluxJob> workload;  // sorted by submit_s
    std::map<std::string, PolluxProfile> profiles;
    PolluxCluster cluster;
};

// The class is called t4, after what the profiles were measured on. A step is an epoch; a job's
// rate is that of its whole run at its tuned batch, its replicas packed on as few nodes as they
// need. Errors (bad_input): a job whose application has no profile, that asks for more devices than
// there are, or makes no progress.
Result<Trace> pollux_trace(const PolluxSetting& setting, double price_per_device_hour);

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The scheduling policies that can be simulated, by name: ours, its parts, and those that it is
// compared with.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/utility/policy.hpp"
#include "simulate/engine.hpp"
#include "simulate/metrics.hpp"
#include "simulate/pollux_trace.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

enum class PolicyKind : std::uint8_t {
    own,
    own_trial,
    own_moves,
    stock,
    fifo,
    first_fit,
    shortest_first,
    fastest_type,
    order_alone,
    placement_alone,
    order_and_placement,
    gavel_las,
    gavel_makespan,
    optimus,
    tiresias,
};

struct PolicyName {
    PolicyKind kind;
    const char* name;
    const char* help;  // one line
};
std::span<const PolicyName> policy_names();

struct NamedPolicy {
    PolicyKind kind = PolicyKind::own;
    Policy utility{0, 1, 0};  // of every job; only our own policy asks for it
    std::string label;        // as it was given
};

// A name out of policy_names(); own, own-trial and own-moves may be followed by the jobs' policy:
// "own:cost=0.7,time=0.3". Errors (usage): anything else, with what is allowed.
Result<NamedPolicy> parse_named_policy(std::string_view text);

struct Conditions {
    // Forecasts: the true run times with a log-normal error of this deviation, by job and class.
    // In the closed loop: the spread of measured epoch times.
    double sigma = 0.1;
    // The history is empty at the start, and forecasts come from core/forecast alone. The trace has
    // been through begin_closed_loop().
    bool is_closed_loop = false;
    double move_s = 180;                     // restoring after a requeue
    std::function<double()> clock;           // as EngineOptions::clock
    std::function<void(const View&)> watch;  // called before each decision; empty: nobody watches
};

// Whether runs differ with the seed.
bool depends_on_seed(const NamedPolicy& policy, const Conditions& conditions);

struct PolicyRun {
    RunResult result;
    Metrics metrics;  // of the jobs [first, last); NaN where a reference policy does not measure
};

// Runs the trace under the policy. `pollux`: where the trace came from, for optimus and tiresias;
// null: elsewhere. Errors (usage): a policy that needs what the trace or the conditions do not
// give; (bad_input): as run_trace() and the reference policies.
Result<PolicyRun> run_policy(const NamedPolicy& policy,
                             const Trace& trace,
                             const PolluxSetting* pollux,
                             const Conditions& conditions,
                             std::uint64_t seed,
                             std::size_t first,
                             std::size_t last);

}  // namespace epochcast::simulate

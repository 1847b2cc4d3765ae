// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What the user wants: weights on cost, time and throughput.
//   U = -w_c ln cost - w_t ln time + w_x ln throughput
// so that neither units nor the set of candidates enters the order.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/utility/natural_log.hpp"

namespace epochcast {

// Weights are >= 0 and sum to 1.
struct Policy {
    double cost = 0;
    double time = 0;
    double throughput = 0;
    bool operator==(const Policy&) const = default;
};

// "cost", "time", "throughput", or a mix such as "cost=0.7,time=0.3" (weights are normalised).
// Anything else is a usage error that points at the wrong part and lists what is allowed.
// "off" is not a policy: callers handle it as "no steering".
Result<Policy> parse_policy(std::string_view text);

// What is wrong with a policy text, and where: bytes [at, at + length) of it.
struct PolicyProblem {
    std::size_t at = 0;
    std::size_t length = 0;
    std::string message;  // that of parse_policy()
};

// Nothing: the text is a policy.
std::optional<PolicyProblem> policy_problem(std::string_view text);

// The shortest text that parse_policy() reads back as the same policy.
std::string to_text(const Policy& policy);

// What a placement offers to one job. cost in the site's money, time in seconds from submission to
// end with waiting included, throughput in samples/s while running.
struct Criteria {
    double cost = 0;
    double time_s = 0;
    double throughput = 0;
};

// The utility, or nothing if a criterion that the policy weighs is absent (NaN) or not positive.
inline std::optional<double> utility(const Policy& policy, const Criteria& criteria) {
    double sum = 0;
    // Adds weight * ln(value); false where the policy needs a value that is not there.
    const auto add = [&](double weight, double value) {
        if (weight == 0) return true;
        if (!(value > 0) || value == std::numeric_limits<double>::infinity()) return false;
        sum += weight * natural_log(value);
        return true;
    };
    const bool is_complete = add(-policy.cost, criteria.cost) &&
                             add(-policy.time, criteria.time_s) &&
                             add(policy.throughput, criteria.throughput);
    if (!is_complete) return std::nullopt;
    return sum;
}

}  // namespace epochcast

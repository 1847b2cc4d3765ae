// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Policy texts: what parses is a set of weights, and its text parses as the same.

#include <cmath>

#include "core/utility/policy.hpp"
#include "fuzz/fuzz.hpp"

using namespace epochcast;

std::vector<std::string> fuzz_seeds() {
    return {"cost",
            "time",
            "throughput",
            "off",
            "cost=0.7,time=0.3",
            "cost=1,time=2,throughput=3",
            "cost=1e-6,time=1000000",
            "throughput=0.333333333333333333333,cost=.5",
            "cost=-1,time=inf",
            "cost=nan"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto policy = parse_policy(text);
    if (!policy) {
        promise(policy.error().kind == ErrorKind::usage, "a bad policy is a usage error");
        promise(policy.error().message.size() < 1000, "messages are short");
        return 0;
    }
    const Policy& weights = policy.value();
    for (const double weight : {weights.cost, weights.time, weights.throughput}) {
        promise(weight >= 0 && weight <= 1, "weights are in [0, 1]");
    }
    promise(std::abs(weights.cost + weights.time + weights.throughput - 1) < 1e-9,
            "weights sum to 1");
    const auto again = parse_policy(to_text(weights));
    promise(again.ok() && again.value() == weights, "the text of a policy is that policy");
    return 0;
}

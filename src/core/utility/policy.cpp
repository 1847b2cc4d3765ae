// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/policy.hpp"

#include <cmath>
#include <cstdio>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr const char* allowed =
    "give cost, time, throughput, or a mix of them such as cost=0.7,time=0.3";

constexpr double min_weight = 1e-6;

Error wrong_part(std::string_view text, std::string_view part, const std::string& what) {
    std::string message = "policy " + quoted(text);
    if (part.size() != text.size()) message += ": " + quoted(part);
    return Error{ErrorKind::usage, message + " " + what + ": " + allowed};
}

// The weight that this criterion's name stands for; null for any other word.
double* weight_of(Policy& policy, std::string_view name) {
    if (name == "cost") return &policy.cost;
    if (name == "time") return &policy.time;
    if (name == "throughput") return &policy.throughput;
    return nullptr;
}

std::string weight_text(double weight) {
    // 17 digits read back as the same double.
    char buffer[32];
    for (int digits = 1; digits <= 17; ++digits) {
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, weight);
        if (std::strtod(buffer, nullptr) == weight) break;
    }
    return buffer;
}

}  // namespace

Result<Policy> parse_policy(std::string_view text) {
    Policy policy;
    if (double* weight = weight_of(policy, text)) {
        *weight = 1;
        return policy;
    }
    if (text.find('=') == std::string_view::npos) {
        return wrong_part(text, text, "is not known");
    }
    for (const std::string_view part : split(text, ',')) {
        const std::size_t equals = part.find('=');
        double* weight = weight_of(policy, part.substr(0, equals));
        if (weight == nullptr) return wrong_part(text, part, "is not known");
        if (*weight != 0) return wrong_part(text, part, "names a criterion twice");
        if (equals == std::string_view::npos) return wrong_part(text, part, "lacks a weight");
        const auto value = parse_number("weight", part.substr(equals + 1), min_weight, 1e6);
        if (!value) return wrong_part(text, part, "has no weight from 0.000001 to 1000000");
        *weight = value.value();
    }
    const double sum = policy.cost + policy.time + policy.throughput;
    // Weights that sum to 1 stay as they are, so that a policy's text reads back as that policy.
    const double divisor = std::abs(sum - 1) < 1e-12 ? 1 : sum;
    for (double* weight : {&policy.cost, &policy.time, &policy.throughput}) {
        *weight /= divisor;
        if (*weight != 0 && *weight < min_weight) {
            return wrong_part(text, text, "has weights that differ by more than a million times");
        }
    }
    return policy;
}

std::string to_text(const Policy& policy) {
    if (policy.cost == 1) return "cost";
    if (policy.time == 1) return "time";
    if (policy.throughput == 1) return "throughput";
    std::string text;
    const auto append = [&](const char* name, double weight) {
        if (weight <= 0) return;
        if (!text.empty()) text += ',';
        text += name;
        text += '=' + weight_text(weight);
    };
    append("cost", policy.cost);
    append("time", policy.time);
    append("throughput", policy.throughput);
    return text;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/policy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr const char* allowed =
    "give cost, time, throughput, or a mix of them such as cost=0.7,time=0.3";

constexpr double min_weight = 1e-6;

// `part` is a view into `text`.
PolicyProblem wrong_part(std::string_view text, std::string_view part, const std::string& what) {
    const auto at = static_cast<std::size_t>(part.data() - text.data());
    std::string message = "policy " + quoted(text);
    if (part.size() != text.size()) {
        const auto characters =
            std::ranges::count_if(text.substr(0, at), [](char c) { return (c & 0xC0) != 0x80; });
        message += ", character " + std::to_string(characters + 1) + ": " + quoted(part);
    }
    return {at, part.size(), message + " " + what + ": " + allowed};
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

// Divides by the sum. Weights that sum to 1 stay as they are, so that a policy's text reads back as
// that policy. False if one is too small beside the others.
bool normalise(Policy& policy) {
    const double sum = policy.cost + policy.time + policy.throughput;
    const double divisor = std::abs(sum - 1) < 1e-12 ? 1 : sum;
    for (double* weight : {&policy.cost, &policy.time, &policy.throughput}) {
        *weight /= divisor;
        if (*weight != 0 && *weight < min_weight) return false;
    }
    return true;
}

std::optional<PolicyProblem> read_policy(std::string_view text, Policy& policy) {
    if (double* weight = weight_of(policy, text)) {
        *weight = 1;
        return std::nullopt;
    }
    if (text.find('=') == std::string_view::npos) {
        return wrong_part(text, text, "is not known");
    }
    for (const std::string_view part : split(text, ',')) {
        const std::size_t equals = part.find('=');
        const std::string_view name = part.substr(0, equals);
        double* weight = weight_of(policy, name);
        if (weight == nullptr) return wrong_part(text, name, "is not known");
        if (*weight != 0) return wrong_part(text, name, "is named twice");
        if (equals == std::string_view::npos) return wrong_part(text, name, "lacks a weight");
        const std::string_view number = part.substr(equals + 1);
        const auto value = parse_number("weight", number, min_weight, 1e6);
        if (!value) return wrong_part(text, number, "is no weight from 0.000001 to 1000000");
        *weight = value.value();
    }
    if (normalise(policy)) return std::nullopt;
    return wrong_part(text, text, "has weights that differ by more than a million times");
}

}  // namespace

std::optional<PolicyProblem> policy_problem(std::string_view text) {
    Policy ignored;
    return read_policy(text, ignored);
}

Result<Policy> parse_policy(std::string_view text) {
    Policy policy;
    if (const auto problem = read_policy(text, policy)) {
        return Error{ErrorKind::usage, problem->message};
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

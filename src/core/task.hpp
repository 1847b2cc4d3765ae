// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A task is a kind of training that repeats. Its identity is (scope, name); its attributes split
// its records into series that are never averaged with each other.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace epochcast {

// Who shares a task's history: one user, one account, or everybody on the cluster.
// Written as "user:<uid>", "account:<name>", "cluster".
struct TaskKey {
    std::string scope;
    std::string name;
    auto operator<=>(const TaskKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The scope of one user's tasks, the default: "user:1000".
std::string user_scope(std::uint32_t uid);

// Task names are 1 to 128 characters out of A-Z a-z 0-9 . _ + / @ -; anything else is a usage
// error that names the value and what is allowed.
Result<std::string> parse_task_name(std::string_view text);

// What was trained. An absent attribute is absent: it equals only another absent one.
struct TaskAttributes {
    std::string framework;  // "epochcast-train", "pytorch", ...; empty: not stated
    std::string model;      // "cnn"; empty: not stated
    std::string dataset;    // empty: not stated
    std::string precision;  // "fp32"; empty: not stated
    std::optional<std::uint64_t> samples_per_epoch;
    std::optional<std::uint64_t> batch_per_device;
    // Samples of an optimiser step over all devices, where that stays the same on any number of
    // them; batch_per_device is then absent.
    std::optional<std::uint64_t> total_batch;
    auto operator<=>(const TaskAttributes&) const = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace epochcast

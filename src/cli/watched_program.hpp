// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Runs a program as if we were not there: output, input, signals and exit code pass through. Who
// watches sees the output as it passes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

// Called on the thread of watch_program(), between two pieces of output: they must be quick.
struct Watcher {
    std::function<void(std::size_t stream, std::string_view bytes)> output;  // 0 output, 1 errors
    std::function<void(int pid)> tick;  // about every second, and once when the program ended
};

inline constexpr int exit_own_failure = 125;
inline constexpr int exit_not_executable = 126;
inline constexpr int exit_not_found = 127;

// arguments[0] is looked up in PATH. Returns the program's exit code, 128 + n if signal n ended it,
// 126 or 127 with a message on our error stream if it cannot be started. Errors: environment, if we
// cannot start anything. Signals that reach us are handed on to the program until it ends.
Result<int> watch_program(const std::vector<std::string>& arguments, const Watcher& watcher);

// Becomes the program; returns 126 or 127 if that cannot be.
int become_program(const std::vector<std::string>& arguments);

}  // namespace epochcast

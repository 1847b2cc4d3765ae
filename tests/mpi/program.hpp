// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Runs a program as a user would, outside any Slurm job or MPI launch that the test itself is in.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace epochcast {

struct Ended {
    int exit_code = -1;  // 128 + signal if a signal ended it
    std::string out;     // stdout
    std::string err;     // stderr
};

struct Start {
    std::vector<std::string> command;
    std::filesystem::path folder;          // that it runs in
    std::vector<std::string> environment;  // "NAME=value", on top of ours
    int limit_s = 100;                     // it is killed after that; exit code 137
    // Called about every 5 ms while it runs, with its pid and what it printed to stdout so far.
    std::function<void(int pid, const std::string& out)> watch;
};

Ended run_program(const Start& start);

// Pids of all live processes below `pid` with this name in /proc/<pid>/comm (at most 15
// characters).
std::vector<int> descendants_named(int pid, const std::string& name);

// Whether a process with this pid is there and no zombie.
bool is_alive(int pid);

}  // namespace epochcast

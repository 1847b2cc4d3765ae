// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What an agent knows about its machine.

#include <array>
#include <cstdint>
#include <string>

namespace epochcast::runtime {

// What every rank tells the others; texts are cut to fit and null-terminated.
struct NodeFacts {
    std::array<char, 64> host{};
    std::array<char, 64> cpu_model{};
    std::uint32_t cpus = 0;     // that the task may use
    std::uint32_t workers = 0;  // that it starts
};

// With this machine's CPU model ("model name" of /proc/cpuinfo; empty where there is none).
NodeFacts node_facts(const std::string& host, std::uint32_t cpus, std::uint32_t workers);

// gethostname().
std::string host_name();

// CPUs in this process's affinity mask.
std::uint32_t affinity_cpus();

// Memory that can be had without swapping, by /proc/meminfo; absent_count if it does not say.
std::uint64_t available_memory_bytes();

}  // namespace epochcast::runtime

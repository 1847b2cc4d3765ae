// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/node_facts.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "core/epoch_record.hpp"
#include "core/text.hpp"

namespace epochcast::runtime {

namespace {

std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            return std::string(trimmed(std::string_view(line).substr(line.find(':') + 1)));
        }
    }
    return "";
}

}  // namespace

NodeFacts node_facts(const std::string& host, std::uint32_t cpus, std::uint32_t workers) {
    NodeFacts facts;
    std::strncpy(facts.host.data(), host.c_str(), facts.host.size() - 1);
    std::strncpy(facts.cpu_model.data(), cpu_model().c_str(), facts.cpu_model.size() - 1);
    facts.cpus = cpus;
    facts.workers = workers;
    return facts;
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::uint32_t affinity_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    return known ? static_cast<std::uint32_t>(CPU_COUNT(&set)) : 1;
}

std::uint64_t available_memory_bytes() {
    std::ifstream info("/proc/meminfo");
    std::string key;
    std::uint64_t kilobytes = 0;
    for (std::string unit; info >> key >> kilobytes; std::getline(info, unit)) {
        if (key == "MemAvailable:") {
            return kilobytes * 1024;
        }
    }
    return absent_count;
}

}  // namespace epochcast::runtime

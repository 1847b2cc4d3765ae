// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/epochs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random.hpp"

namespace epochcast::simulate {

namespace {

// FNV-1a, 64 bits.
std::uint64_t hash(const std::string& text) {
    std::uint64_t bits = 0xcbf29ce484222325u;
    for (const char c : text) {
        bits ^= static_cast<unsigned char>(c);
        bits *= 0x100000001b3u;
    }
    return bits;
}

double epoch_s(const std::string& task) { return 20 + 160 * Random(hash(task)).uniform(); }

}  // namespace

void set_epochs(Trace& trace, std::uint32_t reference) {
    for (TraceJob& job : trace.jobs) {
        double rate = job.steps_per_s[reference];
        if (!(rate > 0)) rate = *std::max_element(job.steps_per_s.begin(), job.steps_per_s.end());
        job.epoch_steps = std::max(1.0, std::floor(rate * epoch_s(job.task)));
    }
}

void declare_too_much(Trace& trace, double factor, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint32_t> order(trace.jobs.size());
    for (std::uint32_t j = 0; j < order.size(); ++j) order[j] = j;
    for (std::size_t left = order.size(); left > 1; --left) {
        std::swap(order[left - 1], order[random.below(static_cast<std::uint32_t>(left))]);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        TraceJob& job = trace.jobs[order[i]];
        const double times = i < order.size() / 2 ? 1 + (factor - 1) * random.uniform() : 1;
        job.declared_steps = job.steps * times;
    }
}

void shuffle_ties(Trace& trace, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t first = 0; first < trace.jobs.size();) {
        std::size_t last = first + 1;
        while (last < trace.jobs.size() &&
               trace.jobs[last].arrival_s == trace.jobs[first].arrival_s) {
            ++last;
        }
        for (std::size_t left = last - first; left > 1; --left) {
            std::swap(trace.jobs[first + left - 1],
                      trace.jobs[first + random.below(static_cast<std::uint32_t>(left))]);
        }
        first = last;
    }
}

void begin_closed_loop(Trace& trace, std::uint64_t seed) {
    constexpr double most_declared = 3;
    shuffle_ties(trace, seed);
    declare_too_much(trace, most_declared, seed);
}

}  // namespace epochcast::simulate

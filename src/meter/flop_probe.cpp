// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/flop_probe.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace epochcast {

namespace {

// One product is small enough to stay in a core's first cache (3 x 96 x 96 floats = 108 KiB is the
// second level's, the panel in use 96 x 16 floats = 6 KiB the first's).
constexpr int side = 96;
constexpr int panel = 16;  // columns that one pass keeps in registers
constexpr int rows = 6;    // rows that one pass keeps in registers: 12 of 16 AVX2 ones
constexpr double flop_per_product = 2.0 * side * side * side;

struct Matrices {
    alignas(64) float a[side * side];
    alignas(64) float b[side * side];
    alignas(64) float c[side * side];
};

// c += a x b, in register blocks of rows x panel. Built once per instruction set, the best one for
// this machine is taken when the program is loaded.
__attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default"))) void multiply(
    Matrices& m) {
    for (int i = 0; i < side; i += rows) {
        for (int j = 0; j < side; j += panel) {
            float sum[rows][panel] = {};
            for (int k = 0; k < side; ++k) {
                for (int r = 0; r < rows; ++r) {
                    const float left = m.a[(i + r) * side + k];
                    for (int col = 0; col < panel; ++col) {
                        sum[r][col] += left * m.b[k * side + j + col];
                    }
                }
            }
            for (int r = 0; r < rows; ++r) {
                for (int col = 0; col < panel; ++col) {
                    m.c[(i + r) * side + j + col] += sum[r][col];
                }
            }
        }
    }
}

// Values stay finite: rows of b sum to nearly 0, so c does not grow without bound.
void fill(Matrices& m) {
    for (int i = 0; i < side * side; ++i) {
        m.a[i] = 1.0F / static_cast<float>(1 + i % 7);
        m.b[i] = (i / side) % 2 == 0 ? 0.5F : -0.5F;
        m.c[i] = 0;
    }
}

// Read by nobody; keeps the compiler from dropping the products.
std::atomic<float> sink{0};

void multiply_until(const std::atomic<bool>& stop, std::atomic<std::uint64_t>& products) {
    const auto m = std::make_unique<Matrices>();
    fill(*m);
    while (!stop.load(std::memory_order_relaxed)) {
        multiply(*m);
        products.fetch_add(1, std::memory_order_relaxed);
    }
    sink.store(m->c[0], std::memory_order_relaxed);
}

std::uint32_t allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<std::uint32_t>(CPU_COUNT(&set));
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

struct alignas(64) Counter {
    std::atomic<std::uint64_t> products{0};
};

std::uint64_t total(const std::vector<Counter>& counters) {
    std::uint64_t sum = 0;
    for (const auto& counter : counters) {
        sum += counter.products.load(std::memory_order_relaxed);
    }
    return sum;
}

}  // namespace

FlopProbe probe_flop_rate(double seconds, std::uint32_t repeats) {
    using Clock = std::chrono::steady_clock;
    repeats = std::max(1U, repeats);
    FlopProbe probe;
    probe.threads = allowed_cpus();

    std::atomic<bool> stop{false};
    std::vector<Counter> counters(probe.threads);
    std::vector<std::thread> threads;
    threads.reserve(counters.size());
    for (auto& counter : counters) {
        threads.emplace_back([&] { multiply_until(stop, counter.products); });
    }
    // The threads run through all parts, so a part holds whole quota periods but for its edges.
    std::vector<double> rates;
    auto before = Clock::now();
    std::uint64_t done = total(counters);
    for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds / repeats));
        const auto now = Clock::now();
        const std::uint64_t products = total(counters);
        const double part_s = std::chrono::duration<double>(now - before).count();
        rates.push_back(static_cast<double>(products - done) * flop_per_product / part_s);
        before = now;
        done = products;
    }
    stop = true;
    for (auto& thread : threads) {
        thread.join();
    }

    std::sort(rates.begin(), rates.end());
    const double middle =
        (rates[(rates.size() - 1) / 2] + rates[rates.size() / 2]) / 2;  // even counts: their mean
    probe.flop_rate = middle;
    probe.spread = middle > 0 ? (rates.back() - rates.front()) / middle : 0;
    return probe;
}

}  // namespace epochcast

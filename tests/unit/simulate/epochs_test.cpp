// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/epochs.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

Trace trace_of(std::size_t jobs) {
    Trace trace{{{"a", 1, 0}, {"b", 1, 0}}, {}};
    for (std::size_t j = 0; j < jobs; ++j) {
        TraceJob job;
        job.id = std::to_string(j);
        job.task = "task" + std::to_string(j % 5);
        job.arrival_s = static_cast<double>(j / 10);
        job.steps = 1000;
        job.steps_per_s = {j % 7 == 0 ? 0.0 : 3.0, 2.0};
        trace.jobs.push_back(job);
    }
    return trace;
}

TEST(Epochs, last_20_to_180_s_on_the_reference_class_and_are_alike_within_a_task) {
    Trace trace = trace_of(50);
    set_epochs(trace, 0);
    std::set<double> lengths;
    for (const TraceJob& job : trace.jobs) {
        const double rate = job.steps_per_s[0] > 0 ? 3 : 2;
        EXPECT_GE(job.epoch_steps, std::floor(20 * rate));
        EXPECT_LE(job.epoch_steps, 180 * rate);
        if (rate == 3) lengths.insert(job.epoch_steps);
    }
    EXPECT_EQ(lengths.size(), 5u);
    trace.jobs[0].steps_per_s = {1e-9, 0};
    set_epochs(trace, 0);
    EXPECT_EQ(trace.jobs[0].epoch_steps, 1);
}

TEST(Epochs, half_of_the_jobs_declare_too_much_but_never_too_little) {
    Trace trace = trace_of(100);
    declare_too_much(trace, 3, 4);
    const auto over = std::ranges::count_if(
        trace.jobs, [](const TraceJob& job) { return job.declared_steps > job.steps; });
    EXPECT_EQ(over, 50);
    for (const TraceJob& job : trace.jobs) {
        EXPECT_GE(job.declared_steps, job.steps);
        EXPECT_LE(job.declared_steps, 3 * job.steps);
    }
    Trace same = trace_of(100);
    declare_too_much(same, 3, 4);
    EXPECT_EQ(same.jobs[17].declared_steps, trace.jobs[17].declared_steps);
}

TEST(Epochs, shuffling_keeps_arrivals_in_order_and_loses_no_job) {
    Trace trace = trace_of(50);
    shuffle_ties(trace, 9);
    std::set<std::string> ids;
    bool moved = false;
    for (std::size_t j = 0; j < 50; ++j) {
        ids.insert(trace.jobs[j].id);
        EXPECT_EQ(trace.jobs[j].arrival_s, static_cast<double>(j / 10));
        moved = moved || trace.jobs[j].id != std::to_string(j);
    }
    EXPECT_EQ(ids.size(), 50u);
    EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace epochcast::simulate

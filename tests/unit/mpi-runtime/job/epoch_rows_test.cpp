// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/epoch_rows.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace epochcast::runtime {
namespace {

EpochRecord node(std::int32_t unit, double wall_s, double cpu_s, std::uint64_t memory_bytes) {
    EpochRecord record;
    record.epoch = 3;
    record.unit = unit;
    record.start_ns = 1000U - static_cast<std::uint64_t>(unit);
    record.wall_s = wall_s;
    record.cpu_s = cpu_s;
    record.peak_memory_bytes = memory_bytes;
    record.disk_read_bytes = 5;
    record.flop = 100;
    record.samples = 32;
    record.steps = 4;
    record.loss = 0.5;
    return record;
}

TEST(ModelJobRow, is_the_slowest_node_and_the_sum_of_all) {
    const std::vector<EpochRecord> nodes{node(0, 2, 1.5, 700), node(1, 4, 1, 900)};
    const EpochRecord row = model_job_row(nodes);
    EXPECT_EQ(row.unit, unit_model_job);
    EXPECT_EQ(row.epoch, 3U);
    EXPECT_EQ(row.start_ns, 999U);
    EXPECT_EQ(row.wall_s, 4);
    EXPECT_EQ(row.cpu_s, 2.5);
    EXPECT_EQ(row.peak_memory_bytes, 900U);
    EXPECT_EQ(row.disk_read_bytes, 10U);
    EXPECT_EQ(row.flop, 200);
    EXPECT_EQ(row.flop_rate, 50);
    EXPECT_EQ(row.samples, 64U);
    EXPECT_EQ(row.steps, 4U);
    EXPECT_EQ(row.loss, 0.5);
}

TEST(ModelJobRow, of_one_node_is_that_node) {
    const EpochRecord row = model_job_row(std::vector<EpochRecord>{node(0, 2, 1.5, 700)});
    EXPECT_EQ(row.wall_s, 2);
    EXPECT_EQ(row.cpu_s, 1.5);
    EXPECT_EQ(row.disk_written_bytes, absent_count);
}

TEST(ModelJobRow, what_one_node_could_not_measure_is_absent) {
    std::vector<EpochRecord> nodes{node(0, 2, 1.5, 700), node(1, 4, absent, absent_count)};
    nodes[0].disk_read_bytes = absent_count;
    const EpochRecord row = model_job_row(nodes);
    EXPECT_TRUE(std::isnan(row.cpu_s));
    EXPECT_EQ(row.peak_memory_bytes, absent_count);
    EXPECT_EQ(row.disk_read_bytes, absent_count);
}

}  // namespace
}  // namespace epochcast::runtime

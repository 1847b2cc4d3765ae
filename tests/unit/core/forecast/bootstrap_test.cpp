// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/forecast/forecast.hpp"

namespace epochcast {
namespace {

const TaskKey cnn{"user:1000", "cnn"};

TaskAttributes batch_attributes(std::uint64_t batch) {
    TaskAttributes attributes;
    attributes.batch_per_device = batch;
    return attributes;
}

Series measured(std::uint64_t batch, double wall_s, std::uint64_t steps, std::uint64_t memory) {
    Series series;
    series.task = cnn;
    series.attributes = batch_attributes(batch);
    series.placement = {"a"};
    EpochRecord record;
    record.wall_s = wall_s;
    record.steps = steps;
    record.peak_memory_bytes = memory;
    series.records = {record, record};
    return series;
}

// Steps of 1 s at batch 16 and of 2.5 s at 64, 6400 samples an epoch.
std::vector<Series> thin_history() {
    return {measured(16, 400, 400, 1000), measured(64, 250, 100, 4000)};
}

TEST(Bootstrap, generates_flagged_records_on_the_line_between_what_was_measured) {
    const auto series = generate_records(thin_history(), cnn, batch_attributes(32), {"a"}, 3);
    ASSERT_TRUE(series);
    ASSERT_EQ(series->records.size(), 3u);
    for (const EpochRecord& record : series->records) {
        EXPECT_EQ(record.flags, epoch_generated);
        EXPECT_NEAR(record.wall_s, 200 * 1.5, 1e-9);  // 1 + 1.5 x (32 - 16) / (64 - 16)
        EXPECT_EQ(record.steps, 200u);
        EXPECT_EQ(record.peak_memory_bytes, 2000u);
        EXPECT_EQ(record.disk_read_bytes, absent_count);
    }
    EXPECT_EQ(series->records[2].epoch, 2u);
}

TEST(Bootstrap, generated_records_lose_to_measured_ones) {
    auto series = generate_records(thin_history(), cnn, batch_attributes(32), {"a"}, 5);
    ASSERT_TRUE(series);
    // Alone they answer, and say what they are.
    const auto generated =
        forecast_epoch(std::vector{*series}, cnn, batch_attributes(32), {"a"}, {});
    ASSERT_TRUE(generated);
    EXPECT_NEAR(generated->epoch.time_s, 300, 1e-9);
    EXPECT_EQ(generated->basis, "from 5 generated epochs on this class");
    EXPECT_EQ(generated->rule, Rule::other_batch);
    EXPECT_TRUE(std::isnan(generated->mean_all.time_s));
    // A measured epoch of the series decides alone.
    EpochRecord record;
    record.wall_s = 350;
    series->records.push_back(record);
    const auto real = forecast_epoch(std::vector{*series}, cnn, batch_attributes(32), {"a"}, {});
    EXPECT_DOUBLE_EQ(real->epoch.time_s, 350);
    EXPECT_EQ(real->basis, "from 1 epoch on this class");
    EXPECT_FALSE(generate_records(
        std::vector{*series, thin_history()[0]}, cnn, batch_attributes(32), {"a"}, 5));
}

TEST(Bootstrap, generated_records_are_no_evidence_for_other_batches) {
    const auto series = generate_records(thin_history(), cnn, batch_attributes(32), {"a"}, 5);
    std::vector<Series> history = thin_history();
    const auto before = forecast_epoch(history, cnn, batch_attributes(48), {"a"}, {});
    history.push_back(*series);
    history.back().records[0].wall_s = 1;
    const auto after = forecast_epoch(history, cnn, batch_attributes(48), {"a"}, {});
    EXPECT_EQ(before->epoch.time_s, after->epoch.time_s);
    EXPECT_FALSE(
        generate_records(std::vector{history.back()}, cnn, batch_attributes(48), {"a"}, 5));
}

TEST(Bootstrap, has_nothing_to_go_by_elsewhere) {
    const auto history = thin_history();
    EXPECT_FALSE(generate_records(history, cnn, batch_attributes(32), {"b"}, 1));
    EXPECT_FALSE(generate_records(history, cnn, TaskAttributes{}, {"a"}, 1));
    EXPECT_FALSE(generate_records(history, {"user:1", "cnn"}, batch_attributes(32), {"a"}, 1));
    EXPECT_FALSE(generate_records({}, cnn, batch_attributes(32), {"a"}, 1));
}

TEST(Bootstrap, beyond_the_ends_times_stay_between_constant_and_proportional) {
    const auto history = thin_history();
    const auto large = generate_records(history, cnn, batch_attributes(128), {"a"}, 1);
    ASSERT_TRUE(large);
    EXPECT_NEAR(large->records[0].wall_s, 50 * 4.5, 1e-9);
    const auto one = generate_records(std::vector{history[0]}, cnn, batch_attributes(32), {"a"}, 1);
    ASSERT_TRUE(one);
    EXPECT_NEAR(one->records[0].wall_s, 400, 1e-9);
}

}  // namespace
}  // namespace epochcast

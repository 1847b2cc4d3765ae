// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/forecast/forecast_table.hpp"

namespace epochcast {
namespace {

const TaskKey cnn{"user:1000", "cnn"};

Series series_of(const std::string& task,
                 const std::string& node_class,
                 std::vector<double> epochs_s,
                 std::uint64_t start_ns = 1) {
    Series series;
    series.task = {"user:1000", task};
    series.placement.node_class = node_class;
    for (const double wall_s : epochs_s) {
        EpochRecord record;
        record.wall_s = wall_s;
        record.flop = 1e9;
        record.start_ns = start_ns++;
        series.records.push_back(record);
    }
    return series;
}

NodeClass class_of(const std::string& name, double flop_rate) {
    NodeClass node_class;
    node_class.name = name;
    node_class.nodes = {name + "1"};
    node_class.flop_rate = flop_rate;
    return node_class;
}

TEST(Forecast, rests_on_epochs_of_the_same_task_on_the_same_class) {
    std::vector<Series> history{series_of("cnn", "fast", {10, 10.2, 9.8})};
    history[0].startups_s = {2, 4};
    const auto forecast = forecast_epoch(history, cnn, {}, {"fast"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_NEAR(forecast->epoch.time_s, 10, 1e-12);
    EXPECT_EQ(forecast->basis, "from 3 epochs on this class");
    EXPECT_NEAR(job_time_s(*forecast, 4), 43, 1e-12);
}

TEST(Forecast, another_class_is_scaled_by_what_other_tasks_showed_before_flop_rates) {
    const std::vector<NodeClass> classes{class_of("fast", 4e9), class_of("slow", 1e9)};
    std::vector<Series> history{series_of("cnn", "fast", {10, 10})};
    const auto rough = forecast_epoch(history, cnn, {}, {"slow"}, classes);
    ASSERT_TRUE(rough);
    EXPECT_EQ(rough->rule, Rule::other_class);
    EXPECT_NEAR(rough->epoch.time_s, 40, 1e-9);
    EXPECT_EQ(rough->basis, "scaled from fast by FLOP rate (rough)");
    EXPECT_NEAR(rough->epoch.flop_rate, 1e9 / 40, 1);

    history.push_back(series_of("mlp", "fast", {1, 1}));
    history.push_back(series_of("mlp", "slow", {3, 3}));
    const auto by_task = forecast_epoch(history, cnn, {}, {"slow"}, classes);
    ASSERT_TRUE(by_task);
    EXPECT_NEAR(by_task->epoch.time_s, 30, 1e-9);
    EXPECT_EQ(by_task->basis, "scaled from fast by the ratio of 1 other task");
    EXPECT_LT(by_task->epoch_high_s, rough->epoch_high_s);
    EXPECT_TRUE(std::isnan(by_task->mean_all.time_s));
}

TEST(Forecast, says_nothing_where_no_rule_applies) {
    const std::vector<Series> history{series_of("cnn", "fast", {10})};
    EXPECT_FALSE(forecast_epoch(history, {"user:1000", "other"}, {}, {"fast"}, {}));
    EXPECT_FALSE(forecast_epoch(history, {"user:1", "cnn"}, {}, {"fast"}, {}));
    EXPECT_FALSE(forecast_epoch(history, cnn, {}, {"slow"}, {}));
    EXPECT_FALSE(forecast_epoch({}, cnn, {}, {"fast"}, {}));
}

TEST(Forecast, unlike_attributes_are_never_averaged_and_the_newest_are_meant) {
    std::vector<Series> history{series_of("cnn", "fast", {10, 10}, 100),
                                series_of("cnn", "fast", {50, 50}, 200)};
    history[0].attributes.batch_per_device = 64;
    history[1].attributes.batch_per_device = 256;
    EXPECT_NEAR(forecast_epoch(history, cnn, {}, {"fast"}, {})->epoch.time_s, 50, 1e-12);
    EXPECT_NEAR(
        forecast_epoch(history, cnn, history[0].attributes, {"fast"}, {})->epoch.time_s, 10, 1e-12);
}

TEST(Forecast, a_new_record_changes_it_at_once) {
    std::vector<Series> history{series_of("cnn", "fast", {10})};
    history[0].records.push_back(history[0].records[0]);
    history[0].records[1].wall_s = 12;
    EXPECT_NEAR(forecast_epoch(history, cnn, {}, {"fast"}, {})->epoch.time_s, 11, 1e-12);
}

TEST(Tabulate, lists_every_task_on_every_class_in_order) {
    std::vector<NodeClass> classes{
        class_of("slow", 1e9), class_of("fast", 4e9), class_of("unmeasured", absent)};
    for (NodeClass& node_class : classes) node_class.nodes = {node_class.name + "1"};
    classes[0].nodes.push_back("slow2");
    std::vector<Series> history{series_of("mlp", "fast", {1}), series_of("cnn", "fast", {10})};
    history.push_back(series_of("cnn", "fast", {6}));
    history.back().placement.nodes = 2;
    history[1].startups_s = {5, 6};
    history.back().startups_s = {7};
    const auto tasks = tabulate(history, classes);
    ASSERT_EQ(tasks.size(), 2u);
    EXPECT_EQ(tasks[0].task, cnn);
    // On two nodes only where there are two.
    ASSERT_EQ(tasks[0].placements.size(), 3u);
    const auto& slow_two = tasks[0].placements[1];
    EXPECT_EQ(slow_two.class_index, 0u);
    EXPECT_EQ(slow_two.nodes, 2u);
    EXPECT_NEAR(slow_two.forecast.epoch.time_s, 24, 1e-9);
    EXPECT_EQ(tasks[1].placements.size(), 2u);
    EXPECT_EQ(tasks[0].runs, 3u) << "jobs on all placements";
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/task_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast {
namespace {

Series series(const char* node_class, std::uint32_t nodes, std::uint32_t devices, int start_s) {
    Series made;
    made.task = {"user:7", "cnn"};
    made.placement = {node_class, nodes, devices};
    EpochRecord record;
    record.start_ns = static_cast<std::uint64_t>(start_s) * 1'000'000'000;
    made.records.push_back(record);
    return made;
}

TEST(TaskRuns, knows_the_devices_of_the_newest_record_on_each_class) {
    TaskRuns runs;
    runs.note(series("a", 1, 4, 30));
    runs.note(series("a", 2, 2, 20));
    runs.note(series("b", 1, 8, 10));
    EXPECT_EQ(runs.devices_on("a"), 4u);
    EXPECT_EQ(runs.devices_on("b"), 8u);
    EXPECT_EQ(runs.devices_on("c"), 4u);  // it never ran there: as it ran last
    EXPECT_THAT(runs.nodes(), testing::ElementsAre(1, 2));
}

TEST(TaskRuns, a_task_that_never_ran_has_one_node_and_no_devices) {
    EXPECT_EQ(TaskRuns().devices_on("a"), 0u);
    EXPECT_THAT(TaskRuns().nodes(), testing::ElementsAre(1));
}

TEST(TaskRuns, keeps_tasks_apart) {
    Series other = series("a", 3, 1, 10);
    other.task.name = "bert";
    const auto runs = task_runs(std::vector{series("a", 1, 4, 30), other});
    EXPECT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs.at({"user:7", "bert"}).devices_on("a"), 1u);
}

}  // namespace
}  // namespace epochcast

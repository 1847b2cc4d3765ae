// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/pollux.hpp"

#include <gtest/gtest.h>

#include "simulate/readers/plane.hpp"

namespace epochcast::simulate {
namespace {

const char* const placements =
    "placement,local_bsz,step_time,sync_time\n"
    "1,10,1,0\n1,20,2,0\n11,10,3,1\n11,20,4,1\n2,10,2,0.5\n2,20,3,0.5\n";
const char* const scalability =
    "num_nodes,num_replicas,local_bsz,step_time,sync_time\n"
    "6,6,10,7,5\n6,6,20,8,5\n6,8,10,9,5\n6,8,20,10,5\n";
const char* const small_run =
    "progress,iteration,metric,grad_sqr,grad_var\n100,100,0.5,1,3\n200,200,0.6,1,1\n";
const char* const large_run =
    "progress,iteration,metric,grad_sqr,grad_var\n110,50,0.5,1,3\n190,90,0.6,1,1\n";

PolluxProfile profile() {
    return PolluxProfile::read({placements, scalability, {{10, small_run}, {30, large_run}}}, 2, 0)
        .value();
}

TEST(PolluxProfile, interpolates_measured_placements_over_the_local_batch) {
    EXPECT_DOUBLE_EQ(profile().step_time({1}, 15).step_s, 1.5);
    EXPECT_DOUBLE_EQ(profile().step_time({1, 1}, 20).step_s, 4);
    EXPECT_DOUBLE_EQ(profile().step_time({1, 1}, 10).sync_s, 1);
    EXPECT_DOUBLE_EQ(profile().step_time({1}, 5).step_s, 1);  // the nearest outside
    EXPECT_DOUBLE_EQ(profile().step_time({1}, 50).step_s, 2);
}

TEST(PolluxProfile, interpolates_other_placements_over_nodes_and_replicas) {
    EXPECT_DOUBLE_EQ(profile().step_time({1, 1, 1, 1, 1, 2}, 10).step_s, 8);
    EXPECT_DOUBLE_EQ(profile().step_time({1, 1, 1, 1, 2, 2}, 20).step_s, 10);
}

TEST(PolluxProfile, knows_progress_steps_and_gain_of_each_epoch) {
    EXPECT_EQ(profile().epochs(), 2u);
    EXPECT_EQ(profile().smallest_batch(), 10u);
    EXPECT_EQ(profile().largest_local_batch(), 20u);
    EXPECT_DOUBLE_EQ(profile().progress(0), 0);
    EXPECT_DOUBLE_EQ(profile().progress(1), 100);  // the least of the runs
    EXPECT_DOUBLE_EQ(profile().progress(2), 190);
    EXPECT_DOUBLE_EQ(profile().steps(20, 0), 75);
    EXPECT_DOUBLE_EQ(profile().gain(10, 0), 1);
    EXPECT_DOUBLE_EQ(profile().gain(30, 0), 4.0 / 2.0);  // (3 + 1) / (3 / 3 + 1)
}

TEST(PolluxProfile, refuses_tables_that_are_not_whole) {
    const auto read = [](const char* some_placements, const char* run, std::size_t epochs) {
        return PolluxProfile::read({some_placements, scalability, {{10, run}}}, epochs, 0);
    };
    EXPECT_TRUE(read(placements, small_run, 2).ok());
    EXPECT_FALSE(read(placements, small_run, 3).ok());
    EXPECT_FALSE(read("", small_run, 2).ok());
    EXPECT_FALSE(read("placement,local_bsz,step_time,sync_time\n", small_run, 2).ok());
    EXPECT_FALSE(read("placement,local_bsz,step_time,sync_time\n1x,1,1,0\n", small_run, 2).ok());
    EXPECT_FALSE(read("placement,local_bsz,step_time,sync_time\n1,-1,1,0\n", small_run, 2).ok());
    EXPECT_FALSE(read("placement,local_bsz,step_time,sync_time\n1,nan,1,0\n", small_run, 2).ok());
    EXPECT_FALSE(read(placements, "progress\n1\n", 1).ok());
}

TEST(PolluxWorkload, reads_its_jobs) {
    const auto jobs =
        read_pollux_workload(
            "name,time,application,num_replicas,batch_size\ncifar10-0,53,cifar10,6,2048\n")
            .value();
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_EQ(jobs[0].name, "cifar10-0");
    EXPECT_EQ(jobs[0].application, "cifar10");
    EXPECT_EQ(jobs[0].submit_s, 53);
    EXPECT_EQ(jobs[0].replicas, 6u);
    EXPECT_EQ(jobs[0].batch, 2048u);
    EXPECT_FALSE(read_pollux_workload("name,time,num_replicas,batch_size\na,1,0,5\n").ok());
    EXPECT_FALSE(read_pollux_workload("name,time\na,1\n").ok());
}

TEST(Plane, weights_are_those_of_the_triangle_around_a_point) {
    const std::vector<PlanePoint> square{{0, 0}, {4, 0}, {0, 4}, {100, 100}};
    const auto weights = plane_weights(square, {1, 1});
    double x = 0;
    for (const auto& [index, weight] : weights) x += weight * square[index].x;
    EXPECT_NEAR(x, 1, 1e-12);
    EXPECT_EQ(weights[0].first, 0u);
    EXPECT_NEAR(weights[0].second, 0.5, 1e-12);
}

TEST(Plane, outside_of_all_triangles_the_nearest_point_counts) {
    EXPECT_EQ(plane_weights({{0, 0}, {1, 0}, {0, 1}}, {9, 1})[0].first, 1u);
    EXPECT_EQ(plane_weights({{0, 0}, {1, 1}, {2, 2}}, {2, 1.9}).size(), 1u);
}

}  // namespace
}  // namespace epochcast::simulate

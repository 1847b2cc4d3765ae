// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/launch.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast::runtime {
namespace {

using testing::HasSubstr;

Environment with(std::map<std::string, std::string> variables) {
    return [variables = std::move(variables)](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
}

TEST(Launch, alone_is_one_rank_without_mpi) {
    const auto launch = detect_launch(with({}));
    ASSERT_TRUE(launch.ok());
    EXPECT_EQ(launch.value().ranks, 1U);
    EXPECT_FALSE(launch.value().uses_mpi);
}

TEST(Launch, srun_with_pmix) {
    const auto launch = detect_launch(with({{"SLURM_NTASKS", "2"},
                                            {"SLURM_STEP_NUM_TASKS", "2"},
                                            {"PMIX_NAMESPACE", "slurm.pmix.7.0"},
                                            {"PMIX_RANK", "1"}}));
    ASSERT_TRUE(launch.ok());
    EXPECT_EQ(launch.value().ranks, 2U);
    EXPECT_EQ(launch.value().rank, 1U);
    EXPECT_TRUE(launch.value().uses_mpi);
}

TEST(Launch, one_task_of_a_larger_job_is_alone) {
    const auto launch = detect_launch(with({{"SLURM_NTASKS", "4"},
                                            {"SLURM_STEP_NUM_TASKS", "1"},
                                            {"PMIX_NAMESPACE", "slurm.pmix.7.0"}}));
    ASSERT_TRUE(launch.ok());
    EXPECT_FALSE(launch.value().uses_mpi);
}

TEST(Launch, tasks_that_cannot_find_each_other_are_refused_with_the_cure) {
    for (const char* variable : {"SLURM_NTASKS", "SLURM_STEP_NUM_TASKS"}) {
        const auto launch = detect_launch(with({{variable, "4"}}));
        ASSERT_FALSE(launch.ok());
        EXPECT_EQ(launch.error().kind, ErrorKind::environment);
        EXPECT_THAT(launch.error().message, HasSubstr("4 tasks"));
        EXPECT_THAT(launch.error().message, HasSubstr("srun --mpi=pmix"));
    }
}

TEST(Launch, mpirun_also_inside_a_slurm_job) {
    const auto launch = detect_launch(with(
        {{"SLURM_NTASKS", "4"}, {"OMPI_COMM_WORLD_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "2"}}));
    ASSERT_TRUE(launch.ok());
    EXPECT_EQ(launch.value().ranks, 3U);
    EXPECT_EQ(launch.value().rank, 2U);
    EXPECT_TRUE(launch.value().uses_mpi);
}

TEST(Launch, odd_values_are_like_unset_ones) {
    EXPECT_TRUE(detect_launch(with({{"SLURM_NTASKS", "-3"}})).ok());
    EXPECT_TRUE(detect_launch(with({{"SLURM_NTASKS", "many"}})).ok());
    EXPECT_TRUE(detect_launch(with({{"OMPI_COMM_WORLD_SIZE", "99999999999999999999"}})).ok());
}

TEST(JobIdentity, of_a_plain_job_an_array_task_and_a_het_component) {
    const auto id = [](std::map<std::string, std::string> variables) {
        variables["SLURM_JOB_ID"] = "1240";
        variables["SLURM_CLUSTER_NAME"] = "big";
        return identify_job(with(std::move(variables)), "host", 77, 1000);
    };
    EXPECT_EQ(id({}).job_id, "1240");
    EXPECT_EQ(id({}).cluster, "big");
    EXPECT_EQ(id({}).checkpoint, "big-1240");
    EXPECT_TRUE(id({}).in_slurm);
    EXPECT_EQ(id({{"SLURM_ARRAY_JOB_ID", "1234"}, {"SLURM_ARRAY_TASK_ID", "7"}}).job_id, "1234_7");
    EXPECT_EQ(id({{"SLURM_HET_JOB_ID", "1234"}, {"SLURM_HET_JOB_OFFSET", "1"}}).job_id, "1234+1");
    EXPECT_EQ(id({{"SLURMD_NODENAME", "fast1"}}).host, "fast1");
}

TEST(JobIdentity, outside_slurm_is_host_pid_and_start) {
    const auto identity = identify_job(with({}), "host", 77, 1000);
    EXPECT_EQ(identity.cluster, "local");
    EXPECT_EQ(identity.job_id, "host-77-1000");
    EXPECT_EQ(identity.checkpoint, "local");
    EXPECT_EQ(identity.host, "host");
}

TEST(UsableCpus, is_the_smaller_of_mask_and_what_slurm_gave) {
    EXPECT_EQ(usable_cpus(with({}), 8), 8U);
    EXPECT_EQ(usable_cpus(with({{"SLURM_CPUS_PER_TASK", "2"}}), 8), 2U);
    EXPECT_EQ(usable_cpus(with({{"SLURM_CPUS_PER_TASK", "16"}}), 8), 8U);
    EXPECT_EQ(usable_cpus(with({{"SLURM_CPUS_PER_TASK", "x"}}), 8), 8U);
}

TEST(FileNamePart, has_no_character_that_a_path_treats_specially) {
    EXPECT_EQ(file_name_part("fashion-cnn_2"), "fashion-cnn_2");
    EXPECT_EQ(file_name_part("../a/b@c+d"), "___a_b_c_d");
}

}  // namespace
}  // namespace epochcast::runtime

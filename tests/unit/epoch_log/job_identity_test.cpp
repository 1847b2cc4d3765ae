// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/job_identity.hpp"

#include <map>

#include <gtest/gtest.h>

namespace epochcast {

namespace {

JobIdentity identity_in(const std::map<std::string, std::string>& variables) {
    return job_identity(
        [&](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? "" : found->second;
        },
        "host1",
        42,
        1'700'000'000);
}

}  // namespace

TEST(JobIdentity, outside_slurm_is_host_process_and_time) {
    const JobIdentity identity = identity_in({});
    EXPECT_EQ(identity.cluster, "local");
    EXPECT_EQ(identity.job_id, "host1-42-1700000000");
    EXPECT_EQ(identity.host, "host1");
    EXPECT_EQ(identity.nodes, 1u);
}

TEST(JobIdentity, tells_jobs_array_tasks_and_components_apart) {
    EXPECT_EQ(identity_in({{"SLURM_JOB_ID", "7"}, {"SLURM_CLUSTER_NAME", "c"}}).job_id, "7");
    EXPECT_EQ(
        identity_in(
            {{"SLURM_JOB_ID", "9"}, {"SLURM_ARRAY_JOB_ID", "7"}, {"SLURM_ARRAY_TASK_ID", "2"}})
            .job_id,
        "7_2");
    EXPECT_EQ(identity_in(
                  {{"SLURM_JOB_ID", "9"}, {"SLURM_HET_JOB_ID", "8"}, {"SLURM_HET_JOB_OFFSET", "1"}})
                  .job_id,
              "8+1");
}

TEST(JobIdentity, knows_nodes_and_requeues) {
    const JobIdentity identity = identity_in({{"SLURM_JOB_ID", "7"},
                                              {"SLURM_JOB_NUM_NODES", "4"},
                                              {"SLURM_RESTART_COUNT", "2"},
                                              {"SLURMD_NODENAME", "n3"}});
    EXPECT_EQ(identity.nodes, 4u);
    EXPECT_EQ(identity.restarts, 2u);
    EXPECT_EQ(identity.host, "n3");
    EXPECT_EQ(
        identity_in(
            {{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_NUM_NODES", "4"}, {"SLURM_STEP_NUM_NODES", "1"}})
            .nodes,
        1u);
}

TEST(JobIdentity, hostile_variables_stay_fit_for_a_file_name) {
    const JobIdentity identity =
        identity_in({{"SLURM_JOB_ID", "../../x\n"}, {"SLURM_CLUSTER_NAME", "/etc"}});
    EXPECT_EQ(identity.job_id.find('/'), std::string::npos);
    EXPECT_EQ(identity.job_id.front(), '_');
    EXPECT_EQ(identity.cluster, "_etc");
}

}  // namespace epochcast

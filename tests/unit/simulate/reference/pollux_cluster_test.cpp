// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/pollux_cluster.hpp"

#include <gtest/gtest.h>

#include "simulate/reference/pollux_policies.hpp"

namespace epochcast::simulate {
namespace {

// One step a second on one replica of batch 10, half as long on two; one epoch of 100 steps.
std::map<std::string, PolluxProfile> profiles() {
    const auto profile = PolluxProfile::read(
        {"placement,local_bsz,step_time,sync_time\n1,5,1,0\n1,10,1,0\n2,5,0.5,0\n2,10,0.5,0\n"
         "11,5,0.75,0\n11,10,0.75,0\n",
         "num_nodes,num_replicas,local_bsz,step_time,sync_time\n",
         {{10, "progress,iteration,grad_sqr,grad_var\n100,100,1,1\n"}}},
        1,
        0);
    return {{"app", profile.value()}};
}

// 60 s until the first decision, 30 s of restart, 100 s of work.
TEST(PolluxCluster, a_job_waits_for_the_round_and_pays_for_its_start) {
    const PolluxCluster cluster{1, 1, 60, 30};
    Tiresias policy(cluster);
    const auto jct_s = run_pollux({{"a", "app", 0, 1, 10}}, profiles(), policy, cluster).value();
    ASSERT_EQ(jct_s.size(), 1u);
    EXPECT_DOUBLE_EQ(jct_s[0], 60 + 30 + 100);
}

TEST(PolluxCluster, tiresias_runs_jobs_on_what_they_ask_for_or_lets_them_wait) {
    const PolluxCluster cluster{1, 2, 60, 30};
    Tiresias policy(cluster);
    const auto jct_s =
        run_pollux({{"a", "app", 0, 2, 10}, {"b", "app", 0, 1, 10}}, profiles(), policy, cluster)
            .value();
    EXPECT_DOUBLE_EQ(jct_s[0], 60 + 30 + 50);
    EXPECT_DOUBLE_EQ(jct_s[1], 180 + 30 + 100);  // decided at 180 s, the first round after 140 s
}

TEST(PolluxCluster, optimus_gives_idle_devices_to_the_job_that_gains) {
    const PolluxCluster cluster{1, 2, 60, 30};
    Optimus policy(cluster);
    const auto jct_s = run_pollux({{"a", "app", 0, 1, 10}}, profiles(), policy, cluster).value();
    EXPECT_DOUBLE_EQ(jct_s[0], 60 + 30 + 50);
}

TEST(PolluxCluster, cuts_batches_that_do_not_fit_into_passes) {
    const PolluxProfile profile = profiles().at("app");
    EXPECT_EQ(cut_batch(profile, 10, 1, false).local_batch, 10u);
    EXPECT_EQ(cut_batch(profile, 10, 1, true).accumulations, 1u);
    EXPECT_EQ(cut_batch(profile, 10, 2, true).local_batch, 5u);
    EXPECT_EQ(cut_batch(profile, 25, 1, false).accumulations, 2u);
}

TEST(PolluxCluster, refuses_jobs_that_can_never_run) {
    const PolluxCluster cluster{1, 1, 60, 30};
    Tiresias policy(cluster);
    EXPECT_FALSE(run_pollux({{"a", "other", 0, 1, 10}}, profiles(), policy, cluster).ok());
    EXPECT_FALSE(run_pollux({{"a", "app", 0, 2, 10}}, profiles(), policy, cluster).ok());
    EXPECT_TRUE(run_pollux({}, profiles(), policy, cluster).value().empty());
}

}  // namespace
}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/pollux_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

using testing::HasSubstr;

// Two epochs of 100 steps at batch 32, without noise: a step at batch 64 achieves no more.
PolluxProfile profile() {
    PolluxTexts texts;
    texts.placements =
        "placement,local_bsz,step_time,sync_time\n1,32,2,0\n1,64,4,0\n2,16,1.5,0.5\n2,32,2.5,0.5\n";
    texts.scalability = "num_nodes,num_replicas,local_bsz,step_time,sync_time\n1,2,16,1.5,0.5\n";
    texts.validation[32] =
        "progress,iteration,metric,grad_sqr,grad_var\n100,100,0,1,0\n"
        "200,200,0,1,0\n";
    texts.validation[64] = texts.validation[32];
    return PolluxProfile::read(texts, 2, 0).value();
}

PolluxSetting setting() {
    PolluxSetting made;
    made.workload = {{"toy-0", "toy", 5, 1, 32}, {"toy-1", "toy", 9, 2, 32}};
    made.profiles.emplace("toy", profile());
    made.cluster.nodes = 1;
    return made;
}

TEST(PolluxTrace, has_epochs_as_steps_at_the_rate_of_the_whole_run) {
    const Trace trace = pollux_trace(setting(), 0.5).value();
    ASSERT_EQ(trace.classes.size(), 1u);
    EXPECT_EQ(trace.classes[0].devices, 4u);
    EXPECT_EQ(trace.classes[0].price_per_device_hour, 0.5);
    ASSERT_EQ(trace.jobs.size(), 2u);
    EXPECT_EQ(trace.jobs[0].arrival_s, 5);
    EXPECT_EQ(trace.jobs[0].steps, 2);
    EXPECT_EQ(trace.jobs[0].epoch_steps, 1);
    EXPECT_NEAR(trace.jobs[0].steps / trace.jobs[0].steps_per_s[0], 200 * 2, 1e-9);
    EXPECT_EQ(trace.jobs[1].devices, 2u);
    EXPECT_NEAR(trace.jobs[1].steps / trace.jobs[1].steps_per_s[0], 200 * 1.5, 1e-9);
}

TEST(PolluxTrace, refuses_jobs_that_cannot_run) {
    PolluxSetting large = setting();
    large.workload[1].replicas = 5;
    EXPECT_THAT(pollux_trace(large, 0).error().message, HasSubstr("'toy-1' asks for 5 devices of"));
    PolluxSetting unknown = setting();
    unknown.workload[0].application = "bert";
    EXPECT_THAT(pollux_trace(unknown, 0).error().message, HasSubstr("'bert', which has no"));
}

}  // namespace
}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/child.hpp"

#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast {

using testing::HasSubstr;

TEST(Child, gives_output_and_exit_code) {
    const auto output = run_child({"sh", "-c", "echo $GREETING; exit 7"}, {"GREETING=hi there"});

    ASSERT_TRUE(output) << output.error().message;
    EXPECT_EQ(output.value().text, "hi there\n");
    EXPECT_EQ(output.value().exit_code, 7);
}

TEST(Child, arguments_reach_it_as_they_are) {
    const auto output = run_child({"printf", "%s|", "a b", "$(id)", "'"}, {});

    EXPECT_EQ(output.value().text, "a b|$(id)|'|");
}

TEST(Child, a_program_that_is_not_there_is_an_error) {
    const auto output = run_child({"epochcast-no-such-program"}, {});

    ASSERT_FALSE(output);
    EXPECT_THAT(output.error().message, HasSubstr("cannot be started"));
}

TEST(Child, a_signal_counts_as_failure_and_output_is_bounded) {
    EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}, {}).value().exit_code, 137);
    const auto much = run_child({"head", "-c", "3000000", "/dev/zero"}, {});
    EXPECT_EQ(much.value().text.size(), 1u << 20);
    EXPECT_EQ(much.value().exit_code, 0);
}

TEST(Child, the_environment_outside_jobs_keeps_slurms_configuration_only) {
    ::setenv("SLURM_CONF", "/c", 1);
    ::setenv("SLURM_JOB_ID", "7", 1);
    const auto kept = environment_outside_jobs();
    ::unsetenv("SLURM_CONF");
    ::unsetenv("SLURM_JOB_ID");

    EXPECT_EQ(std::ranges::count(kept, "SLURM_CONF=/c"), 1);
    EXPECT_EQ(std::ranges::count(kept, "SLURM_JOB_ID=7"), 0);
}

}  // namespace epochcast

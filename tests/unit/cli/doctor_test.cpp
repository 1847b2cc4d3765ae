// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/doctor.hpp"

#include <gmock/gmock.h>

#include "unit/cli/fixture.hpp"

namespace epochcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Doctor, reads_what_scontrol_shows) {
    const auto settings = parse_slurm_settings(
        "Configuration data as of 2026-01-02T03:04:05\n"
        "ClusterName             = epochcast\n"
        "PluginDir               = /usr/lib/slurm:/opt/epochcast\n"
        "SLURM_VERSION           = 22.05.8\n"
        "SchedulerParameters     = bf_interval=1,bf_continue\n"
        "SlurmctldHost[0]        = controller(198.18.0.2)\n");
    EXPECT_EQ(settings.at("SLURM_VERSION"), "22.05.8");
    EXPECT_EQ(settings.at("SchedulerParameters"), "bf_interval=1,bf_continue");
    EXPECT_EQ(settings.at("SlurmctldHost[0]"), "controller(198.18.0.2)");
}

TEST(Doctor, an_error_text_is_no_configuration) {
    EXPECT_THAT(parse_slurm_settings("slurm_load_ctl_conf error: a = b\n"), IsEmpty());
    EXPECT_THAT(parse_slurm_settings(""), IsEmpty());
    EXPECT_THAT(parse_slurm_settings(std::string("\0=\n===\n", 7)), IsEmpty());
}

TEST(Doctor, reads_the_state_of_the_shim) {
    const auto state = parse_shim_state("pid 12\nsteers yes\nforecast_dir /a b/c\n\nbroken\n");
    EXPECT_EQ(state.at("pid"), "12");
    EXPECT_EQ(state.at("forecast_dir"), "/a b/c");
    EXPECT_EQ(state.size(), 3u);
}

TEST(Doctor, reads_one_key_of_slurm_conf) {
    const std::string text =
        "# PluginDir=/commented\nplugindir = /a:/b   # here\nPluginDirs=/other\nPLUGINDIR=/c\n";
    EXPECT_THAT(conf_values(text, "PluginDir"), ElementsAre("/a:/b", "/c"));
    EXPECT_THAT(conf_values(text, "SlurmUser"), IsEmpty());
}

TEST(Doctor, takes_both_streams_and_the_status_of_a_command) {
    std::string output;
    EXPECT_EQ(run_merged({"sh", "-c", "echo out; echo err >&2; exit 3"}, output), 3);
    EXPECT_EQ(output, "out\nerr\n");
    EXPECT_EQ(run_merged({"epochcast-no-such-command"}, output), 127);
}

TEST_F(CliTest, doctor_refuses_a_role_that_is_none) {
    const Ran ran = run({"doctor", "--role", "gateway"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("controller,login,compute"));
}

}  // namespace
}  // namespace epochcast

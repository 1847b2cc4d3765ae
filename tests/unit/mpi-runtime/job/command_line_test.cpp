// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/job_file.hpp"

namespace epochcast::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<CommandLine> parse(std::vector<const char*> arguments) {
    return parse_command_line(arguments);
}

TEST(CommandLine, a_job_file_with_overrides) {
    const auto line = parse({"job.toml", "--set", "epochs=2", "--set=seed=3", "--json"});
    ASSERT_TRUE(line.ok());
    EXPECT_EQ(line.value().job_file, "job.toml");
    EXPECT_THAT(line.value().overrides, ElementsAre("epochs=2", "seed=3"));
    EXPECT_TRUE(line.value().json);
    EXPECT_FALSE(line.value().dry_run);
}

TEST(CommandLine, mistakes_are_usage_errors_that_show_the_usage) {
    for (const auto& arguments : std::vector<std::vector<const char*>>{
             {}, {"a", "b"}, {"a", "--set"}, {"--sett", "x"}, {"a", "-j"}, {""}}) {
        const auto line = parse(arguments);
        ASSERT_FALSE(line.ok());
        EXPECT_EQ(line.error().kind, ErrorKind::usage);
        EXPECT_THAT(line.error().message, HasSubstr("usage: epochcast-train"));
    }
}

TEST(CommandLine, help_needs_no_job_file_and_names_every_key) {
    ASSERT_TRUE(parse({"--help"}).ok());
    const std::string text = help_text();
    for (const JobKeyHelp& key : job_key_table()) {
        EXPECT_THAT(text, HasSubstr(std::string(key.name) + " = "));
    }
    EXPECT_THAT(text, HasSubstr("75"));
}

}  // namespace
}  // namespace epochcast::runtime

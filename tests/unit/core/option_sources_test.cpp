// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/option_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <chrono>

namespace epochcast {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Options with these three.
Options given(std::optional<std::string> task,
              std::optional<std::uint64_t> epochs,
              std::optional<std::string> policy) {
    Options result;
    result.task = std::move(task);
    result.epochs = epochs;
    result.policy = std::move(policy);
    return result;
}

Options options_of(std::string_view script, std::uint32_t component = 0) {
    Options options;
    const auto read = read_script(options, script, component);
    EXPECT_TRUE(read.ok()) << read.error().message;
    return options;
}

// The message for a script that must be refused; options must then be as they were.
std::string refusal(std::string_view script) {
    Options found = given("before", {}, {});
    const auto read = read_script(found, script);
    EXPECT_EQ(found, given("before", {}, {}));
    if (read.ok()) return "accepted";
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
    return read.error().message;
}

TEST(OptionSources, are_read_from_a_batch_script) {
    const Options options = options_of(
        "#!/bin/bash\n"
        "#SBATCH --nodes=2\n"
        "#EPOCHCAST task=resnet50 epochs=90 policy=time\n"
        "srun epochcast-train job.toml\n");
    EXPECT_EQ(options, given("resnet50", 90, "time"));
}

TEST(OptionSources, a_plain_script_has_none) {
    EXPECT_TRUE(options_of("").empty());
    EXPECT_TRUE(options_of("#!/bin/sh\n#SBATCH -N1\n#EPOCHCASTING task=a\n# EPOCHCAST task=b\n"
                           "##EPOCHCAST task=c\n#epochcast task=d\n #EPOCHCAST task=e\n")
                    .empty());
    EXPECT_TRUE(options_of("#EPOCHCAST\n#EPOCHCAST   \t\n").empty());
}

TEST(OptionSources, reading_stops_where_sbatch_stops) {
    EXPECT_EQ(options_of("#!/bin/sh\n\n   \n\t# remark\n#EPOCHCAST task=a\nhostname\n"
                         "#EPOCHCAST task=b epochs=3\n"),
              given("a", {}, {}));
    EXPECT_TRUE(options_of("cat <<END\n#EPOCHCAST task=\x01 nonsense\nEND\n").empty());
}

TEST(OptionSources, blanks_line_ends_and_remarks_do_not_matter) {
    const Options expected = given("a", 5, "cost");
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=5 policy=cost"), expected);
    EXPECT_EQ(options_of("#EPOCHCAST\ttask=a \t epochs=5\tpolicy=cost  \n"), expected);
    EXPECT_EQ(
        options_of("#!/bin/sh\r\n#EPOCHCAST task=a epochs=5\r\n\r\n#EPOCHCAST policy=cost\r\n"),
        expected);
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=5 policy=cost # by price; task=b\n"), expected);
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=5 policy=cost#EPOCHCAST task=b\n"), expected);
    EXPECT_EQ(options_of("# caf\xe9 au lait, ISO-8859-1\n#EPOCHCAST task=a epochs=5 policy=cost\n"),
              expected);
}

TEST(OptionSources, the_last_of_a_repeated_key_wins) {
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=1 task=b\n#EPOCHCAST task=c\n"),
              given("c", 1, {}));
}

TEST(OptionSources, what_is_set_already_is_kept_but_the_text_is_checked) {
    Options found = given("first", {}, {});
    EXPECT_TRUE(read_script(found, "#EPOCHCAST task=second epochs=2\n").ok());
    EXPECT_EQ(found, given("first", 2, {}));
    EXPECT_FALSE(read_script(found, "#EPOCHCAST task=no,commas\n").ok());
    EXPECT_TRUE(set_option(found, "epochs", "3").ok());
    EXPECT_FALSE(set_option(found, "epochs", "three").ok());
    EXPECT_EQ(found.epochs, 2u);
}

TEST(OptionSources, errors_name_the_line_the_value_and_what_is_allowed) {
    EXPECT_EQ(refusal("#!/bin/sh\n#SBATCH -N1\n#EPOCHCAST epochs=ten\n"),
              "line 3 of the script: epochs 'ten' is not allowed: give a whole number from 1 to "
              "1000000000");
    EXPECT_EQ(refusal("#EPOCHCAST speed=fast\n"),
              "line 1 of the script: option 'speed' is not known: give " + option_names());
    EXPECT_EQ(refusal("#EPOCHCAST task = a\n"),
              "line 1 of the script: 'task' is not key=value (without blanks around =); the keys "
              "are " +
                  option_names());
    EXPECT_EQ(refusal("#EPOCHCAST task=\"my net\"\n"),
              "line 1 of the script: value '\"my': leave out the quotes; no value has blanks");
    EXPECT_THAT(refusal("#EPOCHCAST policy=speed\n"), HasSubstr("'speed' is not known"));
    EXPECT_THAT(refusal("#EPOCHCAST policy=speed\n"), EndsWith(", or off"));
    EXPECT_THAT(refusal("#EPOCHCAST =a\n"), HasSubstr("'=a' is not key=value"));
    EXPECT_THAT(refusal("#EPOCHCAST task=$NAME\n"), HasSubstr("'$NAME'"));
    EXPECT_THAT(refusal("#EPOCHCAST task=a;epochs=2\n"), HasSubstr("'a;epochs=2'"));
    EXPECT_THAT(refusal("#EPOCHCAST t\xc3\xa4sk=a\n"), HasSubstr("'t\xc3\xa4sk'"));
    EXPECT_THAT(refusal("#EPOCHCAST \xe2\x80\x94task=a\n"), HasSubstr("is not known"));
}

TEST(OptionSources, come_in_a_comment_too) {
    Options found;
    ASSERT_TRUE(read_comment(found, "epochcast:task=a;epochs=7;policy=cost=0.7,time=0.3").ok());
    EXPECT_EQ(found, given("a", 7, "cost=0.7,time=0.3"));

    Options spaced;
    ASSERT_TRUE(read_comment(spaced, "  epochcast: task=a ; ;epochs=7; ").ok());
    EXPECT_EQ(spaced, given("a", 7, {}));
}

TEST(OptionSources, other_comments_are_left_alone) {
    for (const char* comment : {"",
                                "paper figure 3",
                                "see epochcast:task=a",
                                "Epochcast:task=!",
                                "epochcast task=!",
                                "JS1:H4sIAAAA"}) {
        Options options;
        EXPECT_TRUE(read_comment(options, comment).ok()) << comment;
        EXPECT_TRUE(options.empty()) << comment;
    }
}

TEST(OptionSources, a_malformed_comment_is_refused) {
    Options options;
    const auto read = read_comment(options, "epochcast:task=a;epochs=0");
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, StartsWith("in the comment: epochs '0' is not allowed"));
    EXPECT_TRUE(options.empty());
    EXPECT_FALSE(read_comment(options, "epochcast:task").ok());
    EXPECT_FALSE(read_comment(options, "epochcast:task=a task=b").ok());
}

TEST(OptionSources, a_script_made_to_cost_time_costs_little) {
    std::string comments = "#!/bin/sh\n";
    while (comments.size() < (4u << 20)) comments += "#EPOCHCASTx task=a\n\n";
    std::string pairs = "#EPOCHCAST";
    while (pairs.size() < (4u << 20)) pairs += " task=a";
    const std::string value = "#EPOCHCAST task=" + std::string(4u << 20, 'a') + "\n";
    const auto start = std::chrono::steady_clock::now();

    EXPECT_TRUE(options_of(comments + "#EPOCHCAST epochs=2\n").epochs == 2);
    EXPECT_THAT(refusal(pairs), HasSubstr("more than 256 options"));
    EXPECT_THAT(refusal(value), HasSubstr("(4194304 bytes)"));
    EXPECT_TRUE(options_of(std::string(4u << 20, ' ')).empty());
    EXPECT_TRUE(options_of(std::string(4u << 20, '\n')).empty());
    EXPECT_TRUE(options_of(std::string(4u << 20, '\0')).empty());

    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(OptionSources, each_component_of_a_heterogeneous_job_has_its_own_lines) {
    const std::string script =
        "#!/bin/sh\n#SBATCH -N1\n#EPOCHCAST task=a epochs=2\n"
        "#SBATCH hetjob\n#EPOCHCAST task=b\n#SBATCH -N2\n"
        "#SBATCH\tPackJob \n#EPOCHCAST policy=cost\nsrun x\n";
    EXPECT_EQ(options_of(script, 0), given("a", 2, {}));
    EXPECT_EQ(options_of(script, 1), given("b", {}, {}));
    EXPECT_EQ(options_of(script, 2), given({}, {}, "cost"));
    EXPECT_TRUE(options_of(script, 3).empty());
    EXPECT_EQ(options_of("#SLURM hetjob\n#EPOCHCAST task=b\n", 1), given("b", {}, {}));
    EXPECT_EQ(options_of("#SBATCH --job-name=hetjob\n#SBATCH hetjobs\n# hetjob\n#EPOCHCAST task=a"),
              given("a", {}, {}));
}

TEST(OptionSources, an_option_that_is_given_twice_is_told_of) {
    const auto repeated = [](std::string_view script) {
        Options found;
        const auto read = read_script(found, script);
        EXPECT_TRUE(read.ok());
        return read.value().repeated;
    };
    EXPECT_EQ(repeated("#EPOCHCAST task=a epochs=2\n#EPOCHCAST policy=cost task=b\n"), "task");
    EXPECT_EQ(repeated("#EPOCHCAST task=a\n#SBATCH hetjob\n#EPOCHCAST task=a\n"), "");
    EXPECT_EQ(repeated("#EPOCHCAST task=a # task=b\ntrue\n#EPOCHCAST task=c\n"), "");
}

TEST(OptionSources, lines_that_stand_too_late_are_counted) {
    const auto ignored = [](std::string_view script) {
        Options found;
        const auto read = read_script(found, script);
        EXPECT_TRUE(read.ok());
        EXPECT_TRUE(found.empty());
        return std::pair(read.value().late_lines, read.value().command_line);
    };
    EXPECT_EQ(ignored("#!/bin/bash\nset -euo pipefail\n#SBATCH -N1\n#EPOCHCAST task=a\n"
                      "#EPOCHCAST epochs=no\n"),
              std::pair(std::size_t{2}, std::size_t{2}));
    EXPECT_EQ(ignored("#!/bin/sh\ntrue\n").first, 0u);
    EXPECT_EQ(ignored("#!/bin/sh\n").first, 0u);
    EXPECT_EQ(ignored("#!/bin/sh\n\ncat >job <<END\n#EPOCHCAST task=a\nEND\n").first, 0u)
        << "another script in a here-document";
}

TEST(OptionSources, bytes_that_no_editor_would_show) {
    EXPECT_EQ(
        refusal("#EPOCHCAST task=gr\xf6\xdf"
                "e\n"),
        "line 1 of the script: task name 'gr\\xf6\\xdfe' is not allowed: give 1 to 128 of the "
        "characters A-Z a-z 0-9 . _ + / @ -");
    EXPECT_TRUE(options_of("\xef\xbb\xbf#!/bin/sh\n#EPOCHCAST task=a\n").empty())
        << "a byte order mark makes the first line a command";
    EXPECT_EQ(options_of("\t#!/bin/sh\n#EPOCHCAST task=a\n"), given("a", {}, {}));
    EXPECT_THAT(refusal("#EPOCHCAST epochs=5\xc2\xa0\n"), HasSubstr("epochs '5\u00a0'"));
    EXPECT_THAT(refusal("#EPOCHCAST task=\u201ca\u201d\n"), HasSubstr("'\u201ca\u201d'"));
}

TEST(OptionSources, job_entries_keep_every_option) {
    Options all;
    ASSERT_TRUE(
        read_comment(all,
                     "epochcast:task=a/b@c;epochs=7;policy=cost=0.7,time=0.3;framework=pytorch;"
                     "model=org/llama:8b;data=imagenet;batch=256;samples=1281167;gpus=1-8;"
                     "deadline=2026-08-07T18:00:00+02:00;budget=12.5;log=/logs/a b;"
                     "placement=require")
            .ok());
    Options read_back;
    std::vector<std::string> entries;
    for (std::size_t row = 0; row < option_table().size(); ++row) {
        entries.push_back(job_entry(all, row));
        const auto read = read_job_entry(read_back, entries.back());
        ASSERT_TRUE(read.ok()) << entries.back();
        EXPECT_TRUE(read.value());
    }
    EXPECT_EQ(read_back, all);
    EXPECT_THAT(entries,
                testing::IsSupersetOf({"EPOCHCAST_JOB_TASK=a/b@c",
                                       "EPOCHCAST_JOB_GPUS=1-8",
                                       "EPOCHCAST_JOB_DEADLINE=2026-08-07T16:00:00Z",
                                       "EPOCHCAST_JOB_BUDGET=12.5",
                                       "EPOCHCAST_JOB_LOG=/logs/a b",
                                       "EPOCHCAST_JOB_PLACEMENT=require"}));
    EXPECT_EQ(job_entry(Options(), 0), "");
}

TEST(OptionSources, other_job_entries_are_skipped) {
    for (const char* entry : {"",
                              "PATH=/bin",
                              "EPOCHCAST_TRAIN_TASK=a",
                              "EPOCHCAST_JOB_",
                              "EPOCHCAST_JOB_TASK",
                              "EPOCHCAST_JOB_=a",
                              "EPOCHCAST_JOB_TASKS=a",
                              "EPOCHCAST_JOB_A_LATER_INVENTION=a b"}) {
        Options found;
        const auto read = read_job_entry(found, entry);
        ASSERT_TRUE(read.ok()) << entry;
        EXPECT_FALSE(read.value()) << entry;
        EXPECT_TRUE(found.empty());
    }
    Options found;
    EXPECT_FALSE(read_job_entry(found, "EPOCHCAST_JOB_EPOCHS=").ok());
    EXPECT_FALSE(read_job_entry(found, "EPOCHCAST_JOB_TASK=a b").ok());
}

}  // namespace
}  // namespace epochcast

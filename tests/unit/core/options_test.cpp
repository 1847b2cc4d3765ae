// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <chrono>

namespace epochcast {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Options options_of(std::string_view script) {
    Options options;
    const auto read = read_script(options, script);
    EXPECT_TRUE(read.ok()) << read.error().message;
    return options;
}

// The message for a script that must be refused; options must then be as they were.
std::string refusal(std::string_view script) {
    Options options;
    options.task = "before";
    const auto read = read_script(options, script);
    EXPECT_EQ(options, (Options{"before", {}, {}}));
    if (read.ok()) return "accepted";
    EXPECT_EQ(read.error().kind, ErrorKind::usage);
    return read.error().message;
}

std::string refusal_of(std::string_view key, std::string_view value) {
    Options options;
    const auto set = set_option(options, key, value);
    EXPECT_TRUE(options.empty());
    return set.ok() ? "accepted" : set.error().message;
}

TEST(Options, are_read_from_a_batch_script) {
    const Options options = options_of(
        "#!/bin/bash\n"
        "#SBATCH --nodes=2\n"
        "#EPOCHCAST task=resnet50 epochs=90 policy=time\n"
        "srun epochcast-train job.toml\n");
    EXPECT_EQ(options, (Options{"resnet50", 90, "time"}));
}

TEST(Options, a_plain_script_has_none) {
    EXPECT_TRUE(options_of("").empty());
    EXPECT_TRUE(options_of("#!/bin/sh\n#SBATCH -N1\n#EPOCHCASTING task=a\n# EPOCHCAST task=b\n"
                           "##EPOCHCAST task=c\n#epochcast task=d\n #EPOCHCAST task=e\n")
                    .empty());
    EXPECT_TRUE(options_of("#EPOCHCAST\n#EPOCHCAST   \t\n").empty());
}

TEST(Options, reading_stops_where_sbatch_stops) {
    EXPECT_EQ(options_of("#!/bin/sh\n\n   \n\t# remark\n#EPOCHCAST task=a\nhostname\n"
                         "#EPOCHCAST task=b epochs=3\n"),
              (Options{"a", {}, {}}));
    EXPECT_TRUE(options_of("cat <<END\n#EPOCHCAST task=\x01 nonsense\nEND\n").empty());
}

TEST(Options, blanks_line_ends_and_remarks_do_not_matter) {
    const Options expected{"a", 5, "cost"};
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=5 policy=cost"), expected);
    EXPECT_EQ(options_of("#EPOCHCAST\ttask=a \t epochs=5\tpolicy=cost  \n"), expected);
    EXPECT_EQ(
        options_of("#!/bin/sh\r\n#EPOCHCAST task=a epochs=5\r\n\r\n#EPOCHCAST policy=cost\r\n"),
        expected);
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=5 policy=cost # by price; task=b\n"), expected);
    EXPECT_EQ(options_of("# caf\xe9 au lait, ISO-8859-1\n#EPOCHCAST task=a epochs=5 policy=cost\n"),
              expected);
}

TEST(Options, the_last_of_a_repeated_key_wins) {
    EXPECT_EQ(options_of("#EPOCHCAST task=a epochs=1 task=b\n#EPOCHCAST task=c\n"),
              (Options{"c", 1, {}}));
}

TEST(Options, what_is_set_already_is_kept_but_the_text_is_checked) {
    Options options{"first", {}, {}};
    EXPECT_TRUE(read_script(options, "#EPOCHCAST task=second epochs=2\n").ok());
    EXPECT_EQ(options, (Options{"first", 2, {}}));
    EXPECT_FALSE(read_script(options, "#EPOCHCAST task=no,commas\n").ok());
    EXPECT_TRUE(set_option(options, "epochs", "3").ok());
    EXPECT_FALSE(set_option(options, "epochs", "three").ok());
    EXPECT_EQ(options.epochs, 2u);
}

TEST(Options, errors_name_the_line_the_value_and_what_is_allowed) {
    EXPECT_EQ(refusal("#!/bin/sh\n#SBATCH -N1\n#EPOCHCAST epochs=ten\n"),
              "line 3 of the script: epochs 'ten' is not allowed: give a whole number from 1 to "
              "1000000000");
    EXPECT_EQ(refusal("#EPOCHCAST speed=fast\n"),
              "line 1 of the script: option 'speed' is not known: give task, epochs, policy");
    EXPECT_EQ(refusal("#EPOCHCAST task = a\n"),
              "line 1 of the script: 'task' is not key=value (without blanks around =); the keys "
              "are task, epochs, policy");
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

TEST(Options, epochs_are_from_1_to_a_thousand_million) {
    Options options;
    EXPECT_TRUE(set_option(options, "epochs", "1000000000").ok());
    EXPECT_EQ(options.epochs, max_epochs);
    for (const char* text : {"",
                             "0",
                             "-1",
                             "+1",
                             "1e3",
                             "1000000000000",
                             "1000000001",
                             "2.5",
                             "0x10",
                             " 1",
                             "1 ",
                             "1k",
                             "18446744073709551617",
                             "\u0663",
                             "1\n",
                             "1,0",
                             "nan",
                             "99999999999999999999999999999"}) {
        EXPECT_THAT(refusal_of("epochs", text), HasSubstr("from 1 to 1000000000")) << text;
    }
    EXPECT_THAT(refusal_of("epochs", std::string_view("1\0", 2)), HasSubstr("'1\\x00'"));
}

TEST(Options, task_names_are_plain) {
    Options options;
    EXPECT_TRUE(set_option(options, "task", std::string(128, 'n')).ok());
    for (const std::string& name : {std::string(),
                                    std::string("a b"),
                                    std::string("it's"),
                                    std::string("\"a\""),
                                    std::string("na\xc3\xafve"),
                                    std::string("a\tb"),
                                    std::string(129, 'n'),
                                    std::string(5000, 'n'),
                                    std::string("a\0b", 3)}) {
        const std::string message = refusal_of("task", name);
        EXPECT_THAT(message, HasSubstr("A-Z a-z 0-9 . _ + / @ -")) << message;
        EXPECT_LT(message.size(), 400u);
    }
}

TEST(Options, a_policy_is_a_policy_or_off) {
    for (const char* text : {"off", "cost", "time", "throughput", "cost=0.7,time=0.3"}) {
        Options options;
        EXPECT_TRUE(set_option(options, "policy", text).ok()) << text;
        EXPECT_EQ(options.policy, text);
    }
    for (const char* text : {"", "OFF", "fast", "cost=", "cost=-1", "cost,time", "cost=nan", ","}) {
        EXPECT_THAT(refusal_of("policy", text), HasSubstr("or off")) << text;
    }
    EXPECT_THAT(refusal_of("policy", "cost=0." + std::string(5000, '1')),
                HasSubstr("at most 120 bytes"));
}

TEST(Options, unknown_keys_are_named) {
    for (const char* key : {"", "Task", "epoch", "task ", "--task"}) {
        EXPECT_THAT(refusal_of(key, "a"), StartsWith("option '")) << key;
    }
}

TEST(Options, come_in_a_comment_too) {
    Options options;
    ASSERT_TRUE(read_comment(options, "epochcast:task=a;epochs=7;policy=cost=0.7,time=0.3").ok());
    EXPECT_EQ(options, (Options{"a", 7, "cost=0.7,time=0.3"}));

    Options spaced;
    ASSERT_TRUE(read_comment(spaced, "  epochcast: task=a ; ;epochs=7; ").ok());
    EXPECT_EQ(spaced, (Options{"a", 7, {}}));
}

TEST(Options, other_comments_are_left_alone) {
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

TEST(Options, a_malformed_comment_is_refused) {
    Options options;
    const auto read = read_comment(options, "epochcast:task=a;epochs=0");
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, StartsWith("in the comment: epochs '0' is not allowed"));
    EXPECT_TRUE(options.empty());
    EXPECT_FALSE(read_comment(options, "epochcast:task").ok());
    EXPECT_FALSE(read_comment(options, "epochcast:task=a task=b").ok());
}

TEST(Options, a_script_made_to_cost_time_costs_little) {
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

TEST(Options, the_table_explains_each_key) {
    EXPECT_EQ(option_table().size(), 3u);
    for (const OptionHelp& option : option_table()) {
        EXPECT_THAT(option.help, HasSubstr("default")) << option.name;
        EXPECT_THAT(refusal_of(option.name, "?"),
                    testing::Not(HasSubstr("is not known: give task")));
    }
}

}  // namespace
}  // namespace epochcast

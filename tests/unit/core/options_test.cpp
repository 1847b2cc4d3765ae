// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(std::string_view key, std::string_view value) {
    Options options;
    const auto set = set_option(options, key, value);
    EXPECT_TRUE(options.empty());
    return set.ok() ? "accepted" : set.error().message;
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

TEST(Options, labels_are_plain_and_may_have_a_colon) {
    for (const char* key : {"framework", "model", "data"}) {
        Options options;
        EXPECT_TRUE(set_option(options, key, "org/llama-3:8b").ok()) << key;
        EXPECT_FALSE(options.empty());
        for (const char* text : {"", "two words", "a;b", "a=b", "\"a\"", "a\n", "\xff"}) {
            EXPECT_THAT(refusal_of(key, text), StartsWith(std::string(key) + " '")) << text;
        }
        EXPECT_THAT(refusal_of(key, std::string(129, ':')), HasSubstr("A-Z a-z 0-9 . _ + / @ : -"));
    }
}

TEST(Options, batch_and_samples_are_counts) {
    Options options;
    EXPECT_TRUE(set_option(options, "batch", "256").ok());
    EXPECT_TRUE(set_option(options, "samples", "1000000000000000").ok());
    EXPECT_EQ(options.batch, 256u);
    EXPECT_EQ(options.samples, max_epoch_samples);
    for (const char* text : {"", "0", "-1", "1e3", "64k", "1000000000000001", "0x10", "1_000"}) {
        EXPECT_THAT(refusal_of("batch", text), HasSubstr("from 1 to 1000000000")) << text;
        EXPECT_THAT(refusal_of("samples", text), HasSubstr("from 1 to 1000000000000000")) << text;
    }
}

TEST(Options, gpus_are_a_count_or_a_range) {
    Options options;
    EXPECT_TRUE(set_option(options, "gpus", "1-8").ok());
    EXPECT_EQ(options.gpus, (GpuRange{1, 8}));
    Options one;
    EXPECT_TRUE(set_option(one, "gpus", "4096").ok());
    EXPECT_EQ(one.gpus, (GpuRange{4096, 4096}));
    for (const char* text : {"",
                             "0",
                             "-",
                             "1-",
                             "-8",
                             "8-1",
                             "1-8-9",
                             "0-4",
                             "1--8",
                             "4097",
                             "1-4097",
                             "1 - 8",
                             "a100:2",
                             "2.0",
                             "1,8",
                             "99999999999999999999"}) {
        EXPECT_THAT(refusal_of("gpus", text), HasSubstr("from 1 to 4096, or a range such as 1-8"))
            << text;
    }
}

TEST(Options, a_deadline_is_a_moment_or_a_time_from_submission) {
    const auto text = [](std::string_view value) {
        Options options;
        const auto set = set_option(options, "deadline", value);
        return set.ok() ? to_text(*options.deadline) : "refused";
    };
    EXPECT_EQ(text("+8h"), "+28800s");
    EXPECT_EQ(text("+30m"), "+1800s");
    EXPECT_EQ(text("+2d"), "+172800s");
    EXPECT_EQ(text("+1h30m"), "+5400s");
    EXPECT_EQ(text("2026-08-07T18:00:00+02:00"), "2026-08-07T16:00:00Z");
    EXPECT_EQ(text("2024-02-29 23:59:60Z"), "2024-03-01T00:00:00Z");
    EXPECT_EQ(text("1970-01-01T00:00:01Z"), "1970-01-01T00:00:01Z");
    EXPECT_EQ(text("9999-12-31T23:59:59Z"), "9999-12-31T23:59:59Z");
    for (const char* bad : {"",
                            "+",
                            "8h",
                            "+8",
                            "+8w",
                            "-8h",
                            "+8 h",
                            "+0s",
                            "+30m8h",
                            "tomorrow",
                            "2026-08-07",
                            "2026-13-07T18:00:00Z",
                            "2026-08-07T18:00:00",
                            "1970-01-01T00:00:00Z",
                            "1970-01-01T00:00:00+01:00",
                            "9999-12-31T23:59:59-00:01",
                            "now+60",
                            "teatime",
                            "+99999d"}) {
        EXPECT_EQ(text(bad), "refused") << bad;
    }
}

TEST(Options, moments_are_written_as_they_are_read) {
    for (std::int64_t moment = 1; moment < 253'402'300'800; moment += 86'400'000 + 4'567) {
        const auto read = parse_deadline(to_text(Deadline{false, moment}));
        ASSERT_TRUE(read.ok()) << moment;
        ASSERT_EQ(read.value().seconds, moment);
    }
}

TEST(Options, a_budget_is_money) {
    Options options;
    EXPECT_TRUE(set_option(options, "budget", "12.50").ok());
    EXPECT_EQ(options.budget, 12.5);
    for (const char* text : {"", "0", "-1", "12,50", "12.50 EUR", "$5", "nan", "inf", "1e400"}) {
        EXPECT_THAT(refusal_of("budget", text), StartsWith("budget '")) << text;
    }
}

TEST(Options, a_log_is_an_absolute_path) {
    Options options;
    EXPECT_TRUE(set_option(options,
                           "log",
                           "/scratch/gr\xf6\xdf"
                           "e/a b.h5")
                    .ok());
    Options longest;
    EXPECT_TRUE(set_option(longest, "log", "/" + std::string(1022, 'x')).ok());
    for (const std::string& text : {std::string(),
                                    std::string("log.h5"),
                                    std::string("./a"),
                                    std::string("~/a"),
                                    std::string("/a\nb"),
                                    std::string("/a\0b", 4),
                                    "/" + std::string(1023, 'x')}) {
        EXPECT_THAT(refusal_of("log", text), HasSubstr("an absolute path of at most 1023 bytes"));
    }
}

TEST(Options, placement_is_prefer_or_require) {
    Options options;
    EXPECT_TRUE(set_option(options, "placement", "require").ok());
    EXPECT_EQ(options.placement, PlacementWish::require);
    for (const char* text : {"", "Require", "must", "prefer,require"}) {
        EXPECT_THAT(refusal_of("placement", text), HasSubstr("give prefer or require")) << text;
    }
}

TEST(Options, are_written_as_they_are_read) {
    const char* const values[][2] = {{"task", "a"},
                                     {"epochs", "90"},
                                     {"policy", "off"},
                                     {"framework", "jax"},
                                     {"model", "m:8b"},
                                     {"data", "d"},
                                     {"batch", "64"},
                                     {"samples", "60000"},
                                     {"gpus", "2-4"},
                                     {"deadline", "+60s"},
                                     {"budget", "0.000001"},
                                     {"log", "/a"},
                                     {"placement", "prefer"}};
    ASSERT_EQ(std::size(values), option_table().size());
    for (std::size_t row = 0; row < std::size(values); ++row) {
        Options options;
        EXPECT_EQ(option_text(options, row), "");
        ASSERT_TRUE(set_option(options, values[row][0], values[row][1]).ok()) << values[row][0];
        EXPECT_EQ(option_table()[row].name, std::string(values[row][0]));
        Options read_back;
        ASSERT_TRUE(set_option(read_back, values[row][0], option_text(options, row)).ok());
        EXPECT_EQ(read_back, options) << values[row][0];
        Options filled;
        fill_unset(filled, options);
        EXPECT_EQ(filled, options) << values[row][0];
    }
}

TEST(Options, unknown_keys_are_named) {
    for (const char* key : {"", "Task", "epoch", "task ", "--task"}) {
        EXPECT_THAT(refusal_of(key, "a"), StartsWith("option '")) << key;
    }
}

TEST(Options, the_table_explains_each_key) {
    EXPECT_EQ(option_table().size(), 13u);
    for (const OptionHelp& option : option_table()) {
        EXPECT_THAT(option.help, HasSubstr("default")) << option.name;
        EXPECT_THAT(refusal_of(option.name, "?"),
                    testing::Not(HasSubstr("is not known: give task")));
    }
}

}  // namespace
}  // namespace epochcast

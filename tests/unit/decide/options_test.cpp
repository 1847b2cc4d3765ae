// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstring>
#include <string>
#include <vector>

#include "decide/epochcast_decide.h"

namespace {

using testing::HasSubstr;

TEST(DecideOptions, come_from_several_sources_in_order_of_precedence) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE] = "not touched";

    EXPECT_EQ(epochcast_options_set(&options, "epochs", "5", message, sizeof message), 0);
    EXPECT_EQ(
        epochcast_options_read_script(
            &options, "#!/bin/sh\n#EPOCHCAST task=cnn epochs=9\n", 0, message, sizeof message),
        0);
    EXPECT_EQ(epochcast_options_read_comment(
                  &options, "epochcast:policy=time;task=other", message, sizeof message),
              0);

    EXPECT_STREQ(options.task, "cnn");
    EXPECT_EQ(options.epochs, 5u);
    EXPECT_STREQ(options.policy, "time");
    EXPECT_STREQ(message, "");
}

TEST(DecideOptions, a_refusal_changes_nothing_and_says_why) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE];
    const char* script = "#EPOCHCAST task=cnn\n#EPOCHCAST epochs=-3\n";

    EXPECT_EQ(epochcast_options_read_script(&options, script, 0, message, sizeof message), -1);

    EXPECT_THAT(message, HasSubstr("line 2 of the script: epochs '-3'"));
    EXPECT_TRUE(epochcast_options_empty(&options));
}

TEST(DecideOptions, the_longest_values_fit) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE];
    const std::string task(128, 't');
    const std::string policy = "cost=0." + std::string(105, '7') + ",time=1";
    ASSERT_EQ(policy.size(), 119u);
    EXPECT_EQ(epochcast_options_set(&options, "task", task.c_str(), message, sizeof message), 0);
    EXPECT_EQ(epochcast_options_set(&options, "policy", policy.c_str(), message, sizeof message), 0)
        << message;
    EXPECT_EQ(options.task, task);
    EXPECT_EQ(options.policy, policy);
}

TEST(DecideOptions, null_is_nothing_given) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE];
    EXPECT_EQ(epochcast_options_read_script(&options, nullptr, 0, message, sizeof message), 0);
    EXPECT_EQ(epochcast_options_read_comment(&options, nullptr, message, sizeof message), 0);
    EXPECT_TRUE(epochcast_options_empty(&options));
    EXPECT_TRUE(epochcast_options_empty(nullptr));
    EXPECT_EQ(epochcast_options_set(&options, nullptr, nullptr, message, sizeof message), -1);
    EXPECT_EQ(epochcast_options_set(&options, "task", nullptr, nullptr, 0), -1);
    EXPECT_EQ(epochcast_options_set(nullptr, "task", "a", message, sizeof message), -1);
}

TEST(DecideOptions, a_message_is_always_terminated_and_never_cuts_a_character) {
    const char* key = "\u00e4\u20ac\U0001F600\u00e4\u20ac";
    const std::string whole = std::string("option '") + key + "' is not known";
    epochcast_options_t options{};
    for (std::size_t size = 1; size < 80; ++size) {
        char message[81];
        std::memset(message, 'X', sizeof message);

        EXPECT_EQ(epochcast_options_set(&options, key, "a", message, size), -1);

        EXPECT_EQ(message[size], 'X') << "wrote behind the buffer";
        const std::size_t length = ::strnlen(message, size);
        ASSERT_LT(length, size) << "not terminated";
        if (length >= whole.size()) break;
        EXPECT_EQ(message, whole.substr(0, length));
        EXPECT_NE(static_cast<unsigned char>(whole[length]) & 0xC0, 0x80) << "cut a character";
    }
}

// What job_submit does: all entries of the given options.
std::vector<std::string> entries_of(const epochcast_options_t& options) {
    std::vector<std::string> entries;
    char entry[EPOCHCAST_ENTRY_SIZE];
    int given = 0;
    for (uint32_t row = 0;
         (given = epochcast_options_job_entry(&options, row, entry, sizeof entry)) >= 0;
         ++row) {
        if (given == 1) entries.emplace_back(entry);
    }
    return entries;
}

int read_entries(epochcast_options_t& options, std::vector<std::string> entries) {
    std::vector<char*> env{nullptr};
    for (std::string& entry : entries) env.push_back(entry.data());
    return epochcast_options_read_job_env(&options, env.data(), static_cast<uint32_t>(env.size()));
}

TEST(DecideOptions, travel_as_entries_of_a_job) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE];
    const std::string comment =
        "epochcast:task=cnn;policy=off;epochs=9;framework=f;model=m;data=d;batch=1;samples=2;"
        "gpus=3-4;deadline=+1h;budget=0.5;placement=require;log=/" +
        std::string(1022, 'x');
    ASSERT_EQ(epochcast_options_read_comment(&options, comment.c_str(), message, sizeof message),
              0);
    EXPECT_EQ(options.least_gpus, 3u);
    EXPECT_EQ(options.most_gpus, 4u);
    EXPECT_EQ(options.deadline_after_s, 3600);
    EXPECT_EQ(options.deadline_unix_s, 0);
    EXPECT_EQ(options.placement, EPOCHCAST_PLACEMENT_REQUIRE);
    EXPECT_EQ(std::strlen(options.log), 1023u);

    const auto entries = entries_of(options);
    ASSERT_EQ(entries.size(), 13u);
    EXPECT_EQ(entries[0], "EPOCHCAST_JOB_TASK=cnn");
    epochcast_options_t read_back{};
    ASSERT_EQ(read_entries(read_back, entries), 1);
    EXPECT_EQ(entries_of(read_back), entries);

    options.deadline_after_s = 0;
    options.deadline_unix_s = 1'786'118'400;
    EXPECT_EQ(entries_of(options)[9], "EPOCHCAST_JOB_DEADLINE=2026-08-07T16:00:00Z");
}

TEST(DecideOptions, entries_of_others_are_not_ours) {
    epochcast_options_t options{};
    EXPECT_EQ(read_entries(options, {}), 0);
    EXPECT_EQ(read_entries(options, {"PATH=/bin", "EPOCHCAST_TRAIN_TASK=a", "EPOCHCAST_JOB_X=1"}),
              0);
    EXPECT_TRUE(epochcast_options_empty(&options));
    EXPECT_EQ(read_entries(options, {"SPANK_EPOCHCAST_JOB_TASK=cnn"}), 1);
    EXPECT_STREQ(options.task, "cnn");
    EXPECT_EQ(read_entries(options, {"EPOCHCAST_JOB_TASK=cnn", "EPOCHCAST_JOB_EPOCHS=-1"}), -1);
    EXPECT_TRUE(epochcast_options_empty(&options)) << "half an answer is none";
    EXPECT_EQ(epochcast_options_read_job_env(&options, nullptr, 7), 0);
    EXPECT_EQ(epochcast_options_read_job_env(nullptr, nullptr, 0), -1);
    EXPECT_EQ(epochcast_options_job_entry(nullptr, 0, nullptr, 0), -1);
    EXPECT_EQ(epochcast_options_job_entry(&options, 13, nullptr, 0), -1);
    EXPECT_EQ(epochcast_options_job_entry(&options, 0, nullptr, 0), 0);
}

TEST(DecideOptions, lines_that_stand_too_late_are_told_of) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE];
    const char* script = "#!/bin/bash\nset -e\n#EPOCHCAST task=a\n#EPOCHCAST epochs=2\n";
    EXPECT_EQ(epochcast_options_read_script(&options, script, 0, message, sizeof message), 0);
    EXPECT_STREQ(
        message,
        "2 #EPOCHCAST lines ignored after line 2, the first command: sbatch reads none behind "
        "it either");
    EXPECT_TRUE(epochcast_options_empty(&options));

    script = "#EPOCHCAST task=a task=b\ntrue\n#EPOCHCAST epochs=2\n";
    EXPECT_EQ(epochcast_options_read_script(&options, script, 0, message, sizeof message), 0);
    EXPECT_STREQ(
        message,
        "the script gives task more than once: the last one counts; 1 #EPOCHCAST line ignored "
        "after line 2, the first command: sbatch reads none behind it either");
    EXPECT_STREQ(options.task, "b");
}

TEST(DecideOptions, the_table_ends_with_null) {
    const epochcast_option_help_t* row = epochcast_option_table();
    ASSERT_NE(row->name, nullptr);
    EXPECT_STREQ(row->name, "task");
    int count = 0;
    for (; row->name != nullptr; ++row) ++count;
    EXPECT_EQ(count, 13);
}

}  // namespace

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstring>
#include <string>

#include "decide/epochcast_decide.h"

namespace {

using testing::HasSubstr;

TEST(DecideOptions, come_from_several_sources_in_order_of_precedence) {
    epochcast_options_t options{};
    char message[EPOCHCAST_MESSAGE_SIZE] = "not touched";

    EXPECT_EQ(epochcast_options_set(&options, "epochs", "5", message, sizeof message), 0);
    EXPECT_EQ(epochcast_options_read_script(
                  &options, "#!/bin/sh\n#EPOCHCAST task=cnn epochs=9\n", message, sizeof message),
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

    EXPECT_EQ(epochcast_options_read_script(&options, script, message, sizeof message), -1);

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
    EXPECT_EQ(epochcast_options_read_script(&options, nullptr, message, sizeof message), 0);
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

TEST(DecideOptions, the_table_ends_with_null) {
    const epochcast_option_help_t* row = epochcast_option_table();
    ASSERT_NE(row->name, nullptr);
    EXPECT_STREQ(row->name, "task");
    int count = 0;
    for (; row->name != nullptr; ++row) ++count;
    EXPECT_EQ(count, 3);
}

}  // namespace

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/text_rules.hpp"

#include <gtest/gtest.h>

namespace epochcast {
namespace {

TEST(TextRules, say_why_a_text_may_not_stand_in_a_field) {
    EXPECT_EQ(objection("1234_7+1", TextRule::name, 40), std::nullopt);
    EXPECT_EQ(objection("12/34", TextRule::name, 40),
              "has other characters than A-Z a-z 0-9 . _ + @ - or begins with a dot");
    EXPECT_EQ(objection("Größe – 'x' \\", TextRule::plain, 40), std::nullopt);
    EXPECT_EQ(objection("12345", TextRule::plain, 4), "is longer than 4 bytes");
    EXPECT_EQ(objection("", TextRule::plain, 4), std::nullopt);
    EXPECT_EQ(objection("", TextRule::needed, 4), "is empty");
    EXPECT_EQ(objection(std::string("a\0b", 3), TextRule::plain, 4),
              "has control characters or is not UTF-8");
    EXPECT_EQ(objection("..", TextRule::name, 4).has_value(), true);
    EXPECT_EQ(objection("mnist/cnn", TextRule::task_name, 40), std::nullopt);
    EXPECT_EQ(objection("two words", TextRule::task_name, 40).has_value(), true);
    EXPECT_EQ(objection("\xff\n", TextRule::free, 0), std::nullopt);
}

TEST(TextRules, cut_free_text_between_characters) {
    EXPECT_EQ(made_plain("äöü", 6), "äöü");
    EXPECT_EQ(made_plain("äöü", 5), "äö");
    EXPECT_EQ(made_plain("äöü", 1), "");
    EXPECT_EQ(made_plain("a\nb\xff", 10), "a?b?");
    EXPECT_EQ(made_plain("", 10), "");
    // A text of nothing but continuation bytes has no place to be cut.
    EXPECT_EQ(made_plain(std::string(100, '\x80'), 10), "");
}

}  // namespace
}  // namespace epochcast

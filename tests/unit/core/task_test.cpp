// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/task.hpp"

#include <gtest/gtest.h>

namespace epochcast {
namespace {

TEST(Task, accepts_names_as_people_write_them) {
    for (const char* name : {"resnet50", "org/model-7b@v1.2", "a", "fashion_cnn+aug"}) {
        EXPECT_EQ(parse_task_name(name).value(), name);
    }
    EXPECT_TRUE(parse_task_name(std::string(128, 'x')));
}

TEST(Task, refuses_other_names_and_says_what_is_allowed) {
    for (const std::string& name : {std::string(),
                                    std::string("two words"),
                                    std::string("q'uote"),
                                    std::string("\xc3\xbc"),
                                    std::string("a\nb"),
                                    std::string(129, 'x'),
                                    std::string(5000, 'x'),
                                    std::string("a\0b", 3)}) {
        const auto result = parse_task_name(name);
        ASSERT_FALSE(result) << name;
        EXPECT_EQ(result.error().kind, ErrorKind::usage);
        EXPECT_NE(result.error().message.find("1 to 128"), std::string::npos);
        EXPECT_LT(result.error().message.size(), 400u);
    }
}

TEST(Task, absent_attributes_equal_only_absent_ones) {
    TaskAttributes without;
    TaskAttributes with;
    with.batch_per_device = 64;
    EXPECT_NE(without, with);
    EXPECT_EQ(without, TaskAttributes{});
}

TEST(Task, users_have_scopes_of_their_own) { EXPECT_EQ(user_scope(1000), "user:1000"); }

}  // namespace
}  // namespace epochcast

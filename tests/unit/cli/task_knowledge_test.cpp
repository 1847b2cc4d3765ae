// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/task_knowledge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SimilarNames, are_those_that_a_typing_error_makes) {
    const std::set<std::string> known = {"resnet50", "resnet18", "bert-base", "cnn"};

    EXPECT_THAT(similar_names("resnet05", known), ElementsAre("resnet18", "resnet50"));
    EXPECT_THAT(similar_names("bert", known), ElementsAre("bert-base"));
    EXPECT_THAT(similar_names("transformer", known), IsEmpty());
    EXPECT_THAT(similar_names("cnn", {}), IsEmpty());
}

TEST(SimilarNames, are_at_most_five_nearest_first) {
    const auto names =
        similar_names("task", {"task1", "task12", "task123", "a-task", "tusk", "tasks"});

    EXPECT_EQ(names.size(), 5u);
    EXPECT_EQ(names.front(), "task1");
}

TEST(NoForecast, says_what_is_known_instead) {
    TaskKnowledge knowledge;
    knowledge.task = {"user:7", "cnn"};
    knowledge.source = "the history h";
    knowledge.classes.resize(1);
    EXPECT_THAT(no_forecast_text(knowledge, 1), testing::HasSubstr("no class has as many nodes"));
    knowledge.classes[0].nodes = {"a"};
    EXPECT_EQ(no_forecast_text(knowledge, 1),
              "no forecast for task 'cnn' of user:7 on 1 node in the history h: it never ran; "
              "`epochcast history show` lists what did");
    knowledge.known_nodes = {2, 4};
    EXPECT_THAT(no_forecast_text(knowledge, 1), testing::HasSubstr("known on 2 4 node(s) only"));
}

}  // namespace epochcast

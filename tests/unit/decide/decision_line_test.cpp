// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/decision_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "unit/decide/sample_decision.hpp"

namespace epochcast {
namespace {

// The line read by another JSON parser than our writer.
nlohmann::json parsed(const epochcast_decision_t& decision) {
    const std::string line = decision_line(decision);
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line";
    return nlohmann::json::parse(line);
}

TEST(DecisionLine, says_what_was_weighed_and_taken) {
    const auto json = parsed(sample_decision());

    EXPECT_EQ(json["schema"], "epochcast.decision.v1");
    EXPECT_EQ(json["time_unix_s"], 1'700'000'000);
    EXPECT_EQ(json["job_id"], 42);
    EXPECT_EQ(json["array_job_id"], nullptr);
    EXPECT_EQ(json["array_task_id"], nullptr);
    EXPECT_EQ(json["uid"], 1000);
    EXPECT_EQ(json["mode"], "on");
    EXPECT_EQ(json["verdict"], "steered");
    EXPECT_EQ(json["task"], "cnn");
    EXPECT_EQ(json["policy"], "time");
    EXPECT_EQ(json["partition"], "main");
    EXPECT_EQ(json["epochs"], 90);
    EXPECT_EQ(json["nodes"], 1);
    EXPECT_EQ(json["chosen_class"], "fast");
    EXPECT_EQ(json["chosen_nodes"], "fast[1-2]");
    ASSERT_EQ(json["classes"].size(), 2u);
    EXPECT_EQ(json["classes"][0]["class"], "fast");
    EXPECT_EQ(json["classes"][0]["time_s"], 910.5);
    EXPECT_EQ(json["classes"][1]["utility"], nullptr);
    EXPECT_EQ(json["classes"][1]["reason"], "no forecast for this task here");
    EXPECT_EQ(json["stock_class"], "");
    EXPECT_EQ(json["is_start"], false);
    EXPECT_EQ(json["planned_start_unix_s"], nullptr);
    EXPECT_EQ(json["classes"][0]["devices_per_node"], nullptr);
    EXPECT_EQ(json.size(), 21u) << "document new keys in decision_line.hpp";
    EXPECT_EQ(json["classes"][0].size(), 12u);
}

TEST(DecisionLine, unknown_numbers_are_null) {
    epochcast_decision_t decision = sample_decision();
    decision.epochs = 0;
    decision.classes[0].cost = -INFINITY;
    decision.classes[0].epoch_s = std::nan("");
    const auto json = parsed(decision);
    EXPECT_EQ(json["epochs"], nullptr);
    EXPECT_EQ(json["classes"][0]["cost"], nullptr);
    EXPECT_EQ(json["classes"][0]["epoch_s"], nullptr);
}

TEST(DecisionLine, numbers_are_read_back_exactly) {
    epochcast_decision_t decision = sample_decision();
    for (const double value : {0.1, 1.0 / 3, 1e300, 5e-324, -0.0, 123456789012345680.0}) {
        decision.classes[0].utility = value;
        EXPECT_EQ(parsed(decision)["classes"][0]["utility"], value);
    }
    decision.epochs = UINT64_MAX;
    EXPECT_EQ(parsed(decision)["epochs"], UINT64_MAX);
}

TEST(DecisionLine, array_tasks_have_their_identity) {
    epochcast_decision_t decision = sample_decision();
    decision.array_job_id = 40;
    decision.array_task_id = 0;
    EXPECT_EQ(parsed(decision)["array_job_id"], 40);
    EXPECT_EQ(parsed(decision)["array_task_id"], 0);
    decision.array_task_id = UINT32_MAX;
    EXPECT_EQ(parsed(decision)["array_task_id"], nullptr);
}

TEST(DecisionLine, hostile_text_stays_inside_its_string) {
    epochcast_decision_t decision = sample_decision();
    std::strcpy(decision.task, "a\"},{\"b\\\n\t\x01\x7f");
    std::strcpy(decision.policy, "\xff\xc3(\u00e4\xe2\x82");
    std::memset(decision.partition, 'p', sizeof decision.partition);
    std::memset(decision.classes[0].name, '\xf0', sizeof decision.classes[0].name);
    decision.verdict = nullptr;
    decision.class_count = UINT32_MAX;
    const auto json = parsed(decision);
    EXPECT_EQ(json["task"], "a\"},{\"b\\\n\t\x01\x7f");
    EXPECT_EQ(json["policy"], "\ufffd\ufffd(\u00e4\ufffd\ufffd");
    EXPECT_EQ(json["partition"], std::string(sizeof decision.partition, 'p'));
    EXPECT_EQ(json["verdict"], "");
    EXPECT_EQ(json["classes"].size(), std::size_t{EPOCHCAST_DECISION_CLASSES});
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/task_proposal.hpp"

#include <gtest/gtest.h>

#include "core/task.hpp"

namespace epochcast {

namespace {

std::string proposed(const std::vector<std::string>& command) {
    return proposed_task(command, "/home/me/resnet");
}

}  // namespace

TEST(TaskProposal, is_script_and_arguments_without_what_changes_from_run_to_run) {
    EXPECT_EQ(proposed({"python",
                        "train.py",
                        "--model",
                        "resnet50",
                        "--batch_size=128",
                        "--lr",
                        "0.1",
                        "--seed=7",
                        "--data-dir",
                        "/data/imagenet",
                        "--epochs",
                        "90",
                        "--amp"}),
              "resnet/train+model-resnet50+batch-size-128+amp");
    EXPECT_EQ(proposed({"python", "train.py", "--seed", "1"}),
              proposed({"python3.11", "train.py", "--seed", "2", "--learning_rate", "3"}));
}

TEST(TaskProposal, sees_through_launchers) {
    EXPECT_EQ(proposed({"torchrun", "--nproc_per_node", "4", "nanogpt/train.py"}), "nanogpt/train");
    EXPECT_EQ(proposed({"python", "-m", "fairseq.train", "--arch", "transformer"}),
              "fairseq.train+arch-transformer");
    EXPECT_EQ(proposed({"sh", "-c", "cd x && python main.py --seed 3"}), "resnet/main");
    EXPECT_EQ(proposed({"env", "A=b", "yolo", "detect", "model=v8n.pt"}),
              "yolo+detect+model-v8n.pt");
}

TEST(TaskProposal, is_a_valid_name_whatever_the_command) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"python"},
                                               {""},
                                               {"-"},
                                               {"./../.."},
                                               {"train.py", std::string(500, 'x')},
                                               {"\xFF\x01 \n", "--\xC3\xA4=%&/", "=", "--"},
                                               {"sh", "-c", "   "}}) {
        const auto name = parse_task_name(proposed_task(command, "/"));
        EXPECT_TRUE(name) << name.error().message;
    }
}

TEST(TaskProposal, long_commands_differ_in_their_names) {
    EXPECT_NE(proposed({"a.py", "--x", std::string(200, 'x') + "1"}),
              proposed({"a.py", "--x", std::string(200, 'x') + "2"}));
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/recogniser.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/recognise/replay.hpp"

namespace epochcast {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::string lines(std::initializer_list<const char*> all) {
    std::string text;
    for (const char* line : all) text += std::string(line) + "\n";
    return text;
}

}  // namespace

TEST(Recogniser, an_epoch_lasts_from_its_line_to_the_next_ones) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(100, {}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    recogniser.feed(0, "Epoch 1/2\n", 110);
    recogniser.feed(0, "5/5 [====] - 7s 1s/step - loss: 0.75\n", 117);
    EXPECT_THAT(epochs, IsEmpty());  // validation may follow
    recogniser.feed(0, "Epoch 2/2\n", 120);
    ASSERT_EQ(epochs.size(), 1);
    EXPECT_EQ(epochs[0].number, 1);
    EXPECT_EQ(epochs[0].epoch, 0);
    EXPECT_DOUBLE_EQ(epochs[0].begin_s, 110);
    EXPECT_DOUBLE_EQ(epochs[0].end_s, 120);
    EXPECT_DOUBLE_EQ(epochs[0].wall_s, 10);
    EXPECT_EQ(epochs[0].steps, 5);
    EXPECT_DOUBLE_EQ(epochs[0].loss, 0.75);
    recogniser.feed(0, "5/5 [====] - 8s 1s/step - loss: 0.50\n", 128);
    recogniser.finish(true);
    ASSERT_EQ(epochs.size(), 2);
    EXPECT_DOUBLE_EQ(epochs[1].wall_s, 8);
    EXPECT_EQ(recogniser.total_epochs(), 2);
    EXPECT_EQ(recogniser.finished(), 2);
}

TEST(Recogniser, an_epoch_that_was_begun_does_not_count) {
    EXPECT_THAT(replay("Epoch 1/3\n", {}, false).numbers(), IsEmpty());
    EXPECT_THAT(replay("Epoch 1/3\n").numbers(), IsEmpty());
    EXPECT_THAT(replay("Epoch 1/3\n5/9 [==>..] - ETA: 4s\n", {}, false).numbers(), IsEmpty());
    EXPECT_THAT(replay("Epoch 0:  40%|##  | 4/10 [00:01<00:02, 3it/s]\nEpoch 1:   0%|  | 0/10 "
                       "[00:00<?, ?it/s]\n")
                    .numbers(),
                IsEmpty());
}

TEST(Recogniser, an_output_without_epochs_has_none) {
    const Replay seen = replay(lines({"training with --epochs 10 and num_epochs: 10",
                                      "Namespace(epoch=5, lr=0.1)",
                                      "echo \"Epoch 1/3\"",
                                      "print(f'Epoch 3: loss')",
                                      "    Epoch    gpu_mem   loss",
                                      "loaded checkpoint 'x.pt' (epoch 12)",
                                      "Best validation loss at epoch 7: 0.1",
                                      "--epoch 4",
                                      "epochal 3"}));
    EXPECT_THAT(seen.numbers(), IsEmpty());
    EXPECT_FALSE(seen.saw_epochs);
}

TEST(Recogniser, ranks_with_and_without_prefix_make_one_epoch) {
    const Replay tagged = replay(lines({"[1,0]<stdout>:Epoch 1/2",
                                        "[1,1]<stdout>:Epoch 1/2",
                                        "[1,1]<stdout>:9/9 [====] - 1s - loss: 2.0",
                                        "[1,0]<stdout>:9/9 [====] - 1s - loss: 3.0",
                                        "[1,0]<stdout>:Epoch 2/2",
                                        "[1,0]<stdout>:9/9 [====] - 1s - loss: 1.0"}));
    EXPECT_THAT(tagged.numbers(), ElementsAre(1, 2));
    EXPECT_DOUBLE_EQ(tagged.epochs[0].loss, 3);
    EXPECT_EQ(replay(lines({"0: Epoch 1: loss 2", "1: Epoch 1: loss 2", "0: Epoch 2: loss 1"}))
                  .epochs.size(),
              2);
}

TEST(Recogniser, a_rank_that_lags_changes_nothing) {
    std::vector<std::uint64_t> numbers;
    Recogniser recogniser(0, {}, [&](const EpochEvent& epoch) { numbers.push_back(epoch.number); });
    for (int epoch = 0; epoch < 3; ++epoch) {
        const std::string number = std::to_string(epoch);
        recogniser.feed(0, "Epoch: " + number + ", train loss 3.1\n", 10 * epoch + 10);
        recogniser.feed(0, "Epoch: " + number + ", train loss 3.1\n", 10 * epoch + 11);
        if (epoch == 0) continue;
        const std::string former = std::to_string(epoch - 1);
        recogniser.feed(0, "Epoch: " + former + ", train loss 3.1\n", 10 * epoch + 12);
    }
    recogniser.finish(true);
    EXPECT_THAT(numbers, ElementsAre(0, 1, 2));
}

TEST(Recogniser, a_counter_that_begins_again_is_another_run) {
    const Replay seen = replay(lines({"Epoch 1: loss 3",
                                      "Epoch 2: loss 2",
                                      "Epoch 3: loss 1",
                                      "fold 2",
                                      "Epoch 1: loss 3",
                                      "Epoch 2: loss 2"}));
    EXPECT_THAT(seen.numbers(), ElementsAre(1, 2, 3, 1, 2));
    EXPECT_EQ(seen.epochs[2].run, 0);
    EXPECT_EQ(seen.epochs[3].run, 1);
    const Replay loop = replay(lines({"Epoch 1/1",
                                      "4/4 [====] - 1s - loss: 1",
                                      "Epoch 1/1",
                                      "4/4 [====] - 1s - loss: 1",
                                      "Epoch 1/1",
                                      "4/4 [====] - 1s - loss: 1"}));
    EXPECT_EQ(loop.epochs.size(), 3);
}

TEST(Recogniser, a_counter_that_jumps_without_work_is_dropped) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(0, {}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    double time_s = 0;
    for (const char* line : {"epoch 1: loss 4\n", "epoch 2: loss 3\n", "epoch 3: loss 2\n"}) {
        recogniser.feed(0, line, time_s += 100);
    }
    recogniser.feed(0, "epoch 4: loss 2\n", time_s += 0.1);
    recogniser.feed(0, "epoch 5: loss 1\n", time_s += 100);
    recogniser.finish(true);
    ASSERT_EQ(epochs.size(), 4);
    EXPECT_EQ(epochs.back().number, 5);
    EXPECT_EQ(recogniser.dropped(), 1);
}

TEST(Recogniser, lines_in_a_heap_keep_the_times_that_the_program_states) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(0, {}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    recogniser.feed(
        0, "Epoch 1 done in 1m 20s\nEpoch 2 done in 1m 10s\nEpoch 3 done in 70 sec\n", 230);
    recogniser.finish(true);
    ASSERT_EQ(epochs.size(), 3);
    EXPECT_DOUBLE_EQ(epochs[1].wall_s, 70);
    EXPECT_DOUBLE_EQ(epochs[2].wall_s, 70);
}

TEST(Recogniser, a_program_that_states_more_time_than_there_was_is_not_believed) {
    const Replay seen = replay(lines({"Epoch 1 done in 3 h", "Epoch 2 done in 999999999 h"}));
    ASSERT_EQ(seen.epochs.size(), 2);
    EXPECT_DOUBLE_EQ(seen.epochs[0].wall_s, 1);
    EXPECT_DOUBLE_EQ(seen.epochs[1].wall_s, 1);
    EXPECT_DOUBLE_EQ(seen.epochs[0].stated_s, 10800);
}

TEST(Recogniser, a_resumed_training_keeps_its_numbers) {
    const Replay seen = replay(lines({"Resuming from epoch 50",
                                      "Epoch 51/100",
                                      "6/6 [====] - 2s 3ms/step - loss: nan",
                                      "Epoch 52/100",
                                      "6/6 [====] - 2s 3ms/step - loss: nan"}));
    EXPECT_THAT(seen.numbers(), ElementsAre(51, 52));
    EXPECT_EQ(seen.epochs[0].epoch, 50);
    EXPECT_TRUE(std::isnan(seen.epochs[0].loss));
}

TEST(Recogniser, a_line_per_batch_is_not_an_epoch) {
    std::string text;
    for (int i = 0; i < 10; ++i) text += "Epoch 1: loss 2.5\n";
    EXPECT_THAT(replay(text, {}, false).numbers(), IsEmpty());
    EXPECT_THAT(replay(text + "Epoch 2: loss 2.5\n", {}, false).numbers(), ElementsAre(1));
}

TEST(Recogniser, an_evaluation_after_the_last_epoch_delays_it_no_longer_than_the_epoch_took) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(0, {}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    recogniser.feed(0, "Epoch 1/1\n", 0);
    recogniser.feed(0, "4/4 [====] - 100s - loss: 1\n", 100);
    recogniser.tick(190);
    EXPECT_THAT(epochs, IsEmpty());
    recogniser.tick(201);
    ASSERT_EQ(epochs.size(), 1);
    EXPECT_DOUBLE_EQ(epochs[0].wall_s, 100);
    recogniser.finish(true);
    EXPECT_EQ(epochs.size(), 1);
}

TEST(Recogniser, steps_that_are_declared_an_epoch_are_interpolated) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(
        0, {.steps = 25, .tokens = {}}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    for (int step = 10; step <= 60; step += 10) {
        recogniser.feed(0, "step " + std::to_string(step) + " loss: 2.0\n", step);
    }
    ASSERT_EQ(epochs.size(), 2);
    EXPECT_DOUBLE_EQ(epochs[0].begin_s, 0);
    EXPECT_DOUBLE_EQ(epochs[0].end_s, 25);
    EXPECT_DOUBLE_EQ(epochs[1].end_s, 50);
    EXPECT_EQ(epochs[1].steps, 25);
    ASSERT_TRUE(recogniser.unfinished());
    EXPECT_EQ(recogniser.unfinished()->epoch, 2);
    EXPECT_NEAR(recogniser.unfinished()->fraction, 0.4, 1e-12);
}

TEST(Recogniser, an_epoch_that_began_before_the_log_is_not_whole) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(
        0, {.steps = 100, .tokens = {}}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    for (int step = 5050; step <= 5250; step += 10) {
        recogniser.feed(0, "iteration " + std::to_string(step) + "/ 9000 | lm loss: 2\n", step);
    }
    ASSERT_EQ(epochs.size(), 2);
    EXPECT_FALSE(epochs[0].is_whole);
    EXPECT_EQ(epochs[0].epoch, 50);
    EXPECT_TRUE(epochs[1].is_whole);
    EXPECT_EQ(recogniser.finished(), 1);
}

TEST(Recogniser, memory_is_bounded_and_text_behind_an_endless_line_is_read) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(0, {}, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    const std::string block(1 << 20, '#');
    for (int i = 0; i < 200; ++i) recogniser.feed(0, block, i);
    recogniser.feed(0, "\nEpoch 1: loss 1", 201);
    recogniser.finish(true);
    EXPECT_EQ(epochs.size(), 1);
}

}  // namespace epochcast

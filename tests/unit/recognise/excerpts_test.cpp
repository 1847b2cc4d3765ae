// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Excerpts of public training logs with the answers that people gave (cases/INDEX.md).

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_dir.hpp"
#include "unit/recognise/replay.hpp"

namespace epochcast {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class Excerpts : public testing::Test {
  protected:
    void SetUp() override {
        const char* data = std::getenv("EPOCHCAST_DATA");
        if (data == nullptr) GTEST_SKIP() << "EPOCHCAST_DATA is not set: no excerpts to read";
        folder_ = std::filesystem::path(data) / "cases" / "trainlogs";
    }
    std::string read(const std::string& name) {
        const std::string text = text_of(folder_ / name);
        EXPECT_FALSE(text.empty()) << folder_ / name;
        return text;
    }
    std::filesystem::path folder_;
};

}  // namespace

TEST_F(Excerpts, lightning_with_bars_in_bars) {
    const Replay seen = replay(read("l01-lightning-tqdm-cr-esc.log"));
    EXPECT_THAT(seen.numbers(), ElementsAre(0, 1, 6, 7));
    EXPECT_THAT(seen.stated_s(), ElementsAre(10, 12, 13, 13));
    EXPECT_EQ(seen.epochs.back().epoch, 7);
    EXPECT_EQ(seen.epochs.back().steps, 91);
}

TEST_F(Excerpts, fairseq_validates_within_an_epoch) {
    const Replay seen = replay(read("l03-fairseq-2019-pipes.log"));
    EXPECT_THAT(seen.numbers(), IsEmpty());
    ASSERT_TRUE(seen.unfinished);
    EXPECT_EQ(seen.unfinished->number, 1);
    EXPECT_NEAR(seen.unfinished->fraction, 650.0 / 1891, 1e-9);
}

TEST_F(Excerpts, fairseq_writes_numbers_as_text) {
    const Replay seen = replay(read("l05-fairseq-json-and-overflow.log"));
    EXPECT_THAT(seen.numbers(), IsEmpty());
    ASSERT_TRUE(seen.unfinished);
    EXPECT_EQ(seen.unfinished->number, 27);
}

TEST_F(Excerpts, detectron_counts_iterations_only) {
    const std::string log = read("l07-detectron2-iter-eta.log");
    const Replay seen = replay(log, {}, false);
    EXPECT_THAT(seen.numbers(), IsEmpty());
    EXPECT_TRUE(seen.saw_steps);
    EXPECT_FALSE(seen.saw_epochs);
    // Index 19 is the twentieth step: after index 139 seven times twenty are done.
    EXPECT_THAT(replay(log, {.steps = 20, .tokens = {}}, false).numbers(),
                ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST_F(Excerpts, yolo_stops_in_its_first_epoch) {
    const Replay seen = replay(read("l09-yolov7-nan-bar-not-finished.log"), {}, false);
    EXPECT_THAT(seen.numbers(), IsEmpty());
    EXPECT_EQ(seen.total, 300);
    ASSERT_TRUE(seen.unfinished);
    EXPECT_NEAR(seen.unfinished->fraction, 15.0 / 234, 1e-9);
}

TEST_F(Excerpts, keras_states_steps_in_three_units) {
    const Replay seen = replay(read("l10-keras-ms-us-s-per-step.log"));
    // The bar of 1563 steps without a header may be an evaluation; "313/313 - 1s" is one.
    EXPECT_THAT(seen.numbers(), ElementsAre(1, 2, 3, 51, 52, 53, 2));
    using testing::DoubleNear;
    EXPECT_THAT(seen.stated_s(),
                ElementsAre(DoubleNear(13 * 0.135, 1e-9),
                            DoubleNear(0.065, 1e-9),
                            DoubleNear(0.052, 1e-9),
                            186,
                            182,
                            DoubleNear(10 * 898e-6, 1e-9),
                            14));
}

TEST_F(Excerpts, keras_in_a_pipe_never_ends_its_epoch) {
    EXPECT_THAT(replay(read("l11-keras-progbar-piped.log")).numbers(), IsEmpty());
}

TEST_F(Excerpts, nanogpt_knows_no_epochs) {
    const std::string log = read("l13-nanogpt-eval-spike-nan.log");
    EXPECT_THAT(replay(log).numbers(), IsEmpty());
    // 2981 to 3041, then another run, then a third one from 0 to 250.
    const Replay seen = replay(log, {.steps = 20, .tokens = {}});
    EXPECT_THAT(seen.numbers(), testing::Contains(150));
    for (const EpochEvent& epoch : seen.epochs) EXPECT_GT(epoch.wall_s, 0);
}

TEST_F(Excerpts, two_ranks_make_one_epoch) {
    const Replay seen = replay(read("l15-horovodrun-rank-prefix-interleaved.log"));
    EXPECT_EQ(seen.epochs.size(), 1);
}

TEST_F(Excerpts, epoch_times_in_milliseconds) {
    const Replay seen = replay(read("l17-epoch-time-in-ms-first-double.log"));
    EXPECT_THAT(seen.numbers(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_NEAR(seen.epochs.front().stated_s, 948.4574916, 1e-9);
    EXPECT_NEAR(seen.epochs.back().stated_s, 434.7624381, 1e-9);
    EXPECT_NEAR(seen.epochs.back().loss, 1.5392, 1e-9);
}

TEST_F(Excerpts, megatron_counts_iterations_samples_and_tokens) {
    const std::string log = read("l18-megatron-deepspeed-iterations.log");
    EXPECT_THAT(replay(log).numbers(), IsEmpty());
    // 29020 to 29090 in steps of 10 hold three times twenty; the other lines stand alone.
    const Replay seen = replay(log, {.steps = 20, .tokens = {}});
    EXPECT_THAT(seen.numbers(), ElementsAre(1451, 1452, 1453));
    EXPECT_THAT(replay(log, {.steps = {}, .tokens = 2'500'000}).numbers(), testing::SizeIs(2));
}

}  // namespace epochcast

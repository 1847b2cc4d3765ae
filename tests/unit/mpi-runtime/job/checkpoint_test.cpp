// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/checkpoint.hpp"

#include <sys/stat.h>

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_dir.hpp"

namespace epochcast::runtime {
namespace {

using testing::HasSubstr;

const std::string identity = "model=cnn\nseed=1\n";

class CheckpointFile : public testing::Test {
  protected:
    std::filesystem::path path() const { return folder_.path() / "job.checkpoint"; }
    void write() { ASSERT_TRUE(write_checkpoint(path(), identity, state_).ok()); }
    std::string refusal() {
        const auto read = read_checkpoint(path(), identity);
        if (read.ok()) {
            return "accepted";
        }
        EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
        return read.error().message;
    }
    TemporaryDir folder_;
    TrainState state_{3, 14, 0.1, {1.5F, -0.0F, 3e-40F}, {4, 5, 6}, {7}};
};

TEST_F(CheckpointFile, gives_back_every_bit) {
    write();
    const auto read = read_checkpoint(path(), identity);
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_TRUE(read.value().has_value());
    EXPECT_EQ(read.value()->epoch, 3U);
    EXPECT_EQ(read.value()->step, 14U);
    EXPECT_EQ(read.value()->epoch_loss_sum, 0.1);
    EXPECT_EQ(read.value()->parameters, state_.parameters);
    EXPECT_TRUE(std::signbit(read.value()->parameters[1]));
    EXPECT_EQ(read.value()->velocity, state_.velocity);
    EXPECT_EQ(read.value()->statistics, state_.statistics);
}

TEST_F(CheckpointFile, none_is_no_error) {
    const auto read = read_checkpoint(path(), identity);
    ASSERT_TRUE(read.ok());
    EXPECT_FALSE(read.value().has_value());
}

TEST_F(CheckpointFile, a_new_one_replaces_the_old_one_and_leaves_nothing_else) {
    write();
    state_.epoch = 4;
    write();
    EXPECT_EQ(read_checkpoint(path(), identity).value()->epoch, 4U);
    const auto files = std::filesystem::directory_iterator(folder_.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(CheckpointFile, one_of_another_training_is_refused_and_the_difference_named) {
    write();
    const auto read = read_checkpoint(path(), "model=cnn\nseed=2\n");
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, HasSubstr("'seed=2'"));
    EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
}

TEST_F(CheckpointFile, no_damage_goes_unseen) {
    write();
    const std::string whole = text_of(path());
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        write_in_place(path(), whole.substr(0, cut));
        EXPECT_NE(refusal(), "accepted") << "cut at " << cut;
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        write_in_place(path(), damaged);
        EXPECT_NE(refusal(), "accepted") << "byte " << at;
    }
    write_in_place(path(), whole + "x");
    EXPECT_NE(refusal(), "accepted");
}

TEST_F(CheckpointFile, a_folder_that_is_not_there_is_named) {
    const auto written = write_checkpoint(folder_.path() / "none" / "x", identity, state_);
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().kind, ErrorKind::environment);
    EXPECT_THAT(written.error().message, HasSubstr("none"));
}

TEST_F(CheckpointFile, a_pipe_or_folder_in_its_place_does_not_hang) {
    ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
    EXPECT_FALSE(read_checkpoint(path(), identity).ok());
    std::filesystem::remove(path());
    std::filesystem::create_directory(path());
    EXPECT_FALSE(read_checkpoint(path(), identity).ok());
}

}  // namespace
}  // namespace epochcast::runtime

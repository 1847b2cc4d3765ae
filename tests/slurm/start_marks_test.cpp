// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "select/start_marks.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using epochcast::slurm::process_start_ticks;
using epochcast::slurm::StartMarks;

namespace {

constexpr std::time_t now = 1'800'000'000;

class StartMarksTest : public testing::Test {
  protected:
    StartMarksTest() {
        char pattern[] = "/tmp/epochcast-marks.XXXXXX";
        if (::mkdtemp(pattern)) root_ = pattern;
        dir_ = root_ + "/epochcast";
    }
    ~StartMarksTest() override { std::filesystem::remove_all(root_); }

    StartMarks marks(const char* host = "ctl") const { return {dir_.c_str(), host}; }

    // A start of which nothing was heard again: no process has these ticks.
    void crash_at(std::time_t started, const std::string& host = "ctl") const {
        std::filesystem::create_directory(dir_);
        std::ofstream(dir_ + "/start-" + std::to_string(started) + "-" +
                      std::to_string(::getpid()) + "-1-" + host);
    }

    long files() const {
        return std::distance(std::filesystem::directory_iterator(dir_),
                             std::filesystem::directory_iterator());
    }

    std::string root_;
    std::string dir_;
};

}  // namespace

TEST_F(StartMarksTest, two_crashes_within_ten_minutes_are_too_many) {
    EXPECT_FALSE(marks().crashed_twice(now));
    crash_at(now - 500);
    EXPECT_FALSE(marks().crashed_twice(now - 400));
    crash_at(now - 300);
    EXPECT_TRUE(marks().crashed_twice(now));
    EXPECT_TRUE(marks().crashed_twice(now + 86400)) << "holds until somebody looks after it";
}

TEST_F(StartMarksTest, two_crashes_far_apart_are_not) {
    crash_at(now - 700);
    EXPECT_FALSE(marks().crashed_twice(now));
    EXPECT_EQ(files(), 0) << "what can no longer count is removed";
    crash_at(now - 10);
    EXPECT_FALSE(marks().crashed_twice(now));
    EXPECT_EQ(files(), 1);
}

TEST_F(StartMarksTest, a_start_that_lives_or_ended_in_order_is_no_crash) {
    StartMarks first = marks();
    ASSERT_EQ(first.add(now - 20), 0);
    StartMarks second = marks();  // the process that takes over in a reconfigure
    ASSERT_EQ(second.add(now - 10), 0);
    EXPECT_FALSE(marks().crashed_twice(now));
    EXPECT_EQ(files(), 2);
    first.remove();
    second.remove();
    second.remove();
    EXPECT_EQ(files(), 0);
}

TEST_F(StartMarksTest, a_killed_process_leaves_its_mark) {
    for (const std::time_t started : {now - 20, now - 10}) {
        const pid_t child = ::fork();
        if (child == 0) {
            StartMarks mine = marks();
            ::_exit(mine.add(started));
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0);
    }
    EXPECT_TRUE(marks().crashed_twice(now));
}

TEST_F(StartMarksTest, a_forked_child_does_not_take_its_parents_mark_away) {
    StartMarks mine = marks();
    ASSERT_EQ(mine.add(now), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        mine.remove();
        mine.remove_all();
        ::_exit(0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(files(), 1);
}

TEST_F(StartMarksTest, marks_of_the_other_controller_are_its_own) {
    crash_at(now - 20, "backup");
    crash_at(now - 10, "backup");
    EXPECT_FALSE(marks().crashed_twice(now));
    marks().remove_all();
    EXPECT_TRUE(marks("backup").crashed_twice(now));
}

TEST_F(StartMarksTest, removing_all_makes_a_new_beginning) {
    crash_at(now - 20);
    crash_at(now - 10);
    marks().remove_all();
    EXPECT_FALSE(marks().crashed_twice(now));
}

TEST_F(StartMarksTest, a_clock_that_was_ahead_is_forgiven) {
    crash_at(now + 100000);
    crash_at(now + 100001);
    EXPECT_FALSE(marks().crashed_twice(now));
    EXPECT_EQ(files(), 0);
}

TEST_F(StartMarksTest, strangers_in_the_folder_count_for_nothing) {
    std::filesystem::create_directory(dir_);
    for (const char* name : {"start-",
                             "start-1-2-3",
                             "start--5-1-1-ctl",
                             "start-x-1-1-ctl",
                             "state",
                             "start-99999999999999999999-1-1-ctl",
                             "start-1799999990-0-1-ctl"})
        std::ofstream file(dir_ + "/" + name);
    std::filesystem::create_directory(dir_ + "/start-1799999990-1-1-ctl");
    std::filesystem::create_symlink("/etc/passwd", dir_ + "/start-1-1-1-ctl");
    EXPECT_FALSE(marks().crashed_twice(now));
    marks().remove_all();
    EXPECT_TRUE(std::filesystem::exists("/etc/passwd"));
}

TEST_F(StartMarksTest, a_folder_that_is_none_costs_the_guard_and_no_more) {
    std::ofstream(dir_) << "a file";
    StartMarks mine = marks();
    EXPECT_FALSE(mine.crashed_twice(now));
    EXPECT_EQ(mine.add(now), ENOTDIR);
    mine.remove();
    StartMarks nowhere((root_ + "/no/such/folder").c_str(), "ctl");
    EXPECT_EQ(nowhere.add(now), ENOENT);
    StartMarks endless(std::string(5000, 'x').c_str(), "ctl");
    EXPECT_NE(endless.add(now), 0);
    StartMarks odd(dir_.c_str(), "../../etc/passwd");
    EXPECT_NE(odd.add(now), 0);
}

TEST_F(StartMarksTest, a_process_is_known_by_when_it_started) {
    EXPECT_GT(process_start_ticks(::getpid()), 0u);
    EXPECT_EQ(process_start_ticks(0), 0u);
    EXPECT_EQ(process_start_ticks(2'000'000'000), 0u);

    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(process_start_ticks(child), 0u) << "dead, though not yet waited for";
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

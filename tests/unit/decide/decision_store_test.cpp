// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/decision_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>

#include "support/temporary_dir.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;

class DecisionStoreTest : public testing::Test {
  protected:
    // "" if the line was appended for this user.
    std::string append(std::string_view line, std::uint32_t uid = ::geteuid()) {
        const auto appended = append_decision(dir_.path(), uid, line);
        return appended.ok() ? "" : appended.error().message;
    }
    std::filesystem::path folder(std::uint32_t uid = ::geteuid()) const {
        return dir_.path() / std::to_string(uid);
    }
    std::filesystem::path file(std::uint32_t uid = ::geteuid()) const {
        return folder(uid) / "decisions.jsonl";
    }

    const TemporaryDir dir_;
};

struct stat status_of(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
    return status;
}

TEST_F(DecisionStoreTest, keeps_the_lines_of_each_user_apart) {
    EXPECT_EQ(append("one\n"), "");
    EXPECT_EQ(append("two\n"), "");
    EXPECT_EQ(text_of(file()), "one\ntwo\n");
    if (::geteuid() == 0) {
        EXPECT_EQ(append("other\n", 12345), "");
        EXPECT_EQ(text_of(file(12345)), "other\n");
    }
}

TEST_F(DecisionStoreTest, users_own_what_is_about_them_and_nobody_else_reads_it) {
    const mode_t mask = ::umask(077);
    EXPECT_EQ(append("one\n"), "");
    if (::geteuid() == 0) {
        EXPECT_EQ(append("one\n", 12345), "");
        EXPECT_EQ(status_of(folder(12345)).st_uid, 12345u);
        EXPECT_EQ(status_of(file(12345)).st_uid, 12345u);
    }
    ::umask(mask);
    EXPECT_EQ(status_of(folder()).st_mode & 07777, 0750u);
    EXPECT_EQ(status_of(file()).st_mode & 07777, 0640u);
}

TEST_F(DecisionStoreTest, the_folder_itself_is_not_made) {
    const auto appended = append_decision(dir_.path() / "missing", 0, "one\n");
    ASSERT_FALSE(appended.ok());
    EXPECT_THAT(appended.error().message, HasSubstr("/missing': No such file"));
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "missing"));
}

TEST_F(DecisionStoreTest, links_pipes_and_folders_are_refused) {
    write_in_place(dir_.path() / "victim", std::string_view("precious"));
    std::filesystem::create_directory(folder());

    std::filesystem::create_symlink("../victim", file());
    EXPECT_THAT(append("one\n"), HasSubstr("symbolic links"));
    std::filesystem::remove(file());

    std::filesystem::create_hard_link(dir_.path() / "victim", file());
    EXPECT_THAT(append("one\n"), HasSubstr("not a plain file of this user"));
    std::filesystem::remove(file());

    ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
    EXPECT_NE(append("one\n"), "");
    std::filesystem::remove(file());

    std::filesystem::create_directory(file());
    EXPECT_NE(append("one\n"), "");
    std::filesystem::remove(file());

    std::filesystem::remove(folder());
    std::filesystem::create_directory(dir_.path() / "elsewhere");
    std::filesystem::create_directory_symlink("elsewhere", folder());
    EXPECT_NE(append("one\n"), "");
    EXPECT_TRUE(std::filesystem::is_empty(dir_.path() / "elsewhere"));
    EXPECT_EQ(text_of(dir_.path() / "victim"), "precious");
}

TEST_F(DecisionStoreTest, a_folder_of_another_user_is_refused) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can make one";
    std::filesystem::create_directory(folder(12345));
    ASSERT_EQ(::chown(folder(12345).c_str(), 23456, static_cast<gid_t>(-1)), 0);
    EXPECT_THAT(append("one\n", 12345), HasSubstr("belongs to another user"));
}

TEST_F(DecisionStoreTest, a_full_file_is_moved_aside_once) {
    EXPECT_EQ(append("one\n"), "");
    for (const char* generation : {"first", "second"}) {
        std::filesystem::resize_file(file(), max_decision_file_bytes - 3);
        EXPECT_EQ(append(std::string(generation) + "\n"), "");
        EXPECT_EQ(text_of(file()), std::string(generation) + "\n");
        EXPECT_EQ(std::filesystem::file_size(folder() / "decisions.1.jsonl"),
                  std::uintmax_t{max_decision_file_bytes - 3});
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 2);
}

TEST_F(DecisionStoreTest, a_line_that_was_cut_does_not_spoil_the_next) {
    EXPECT_EQ(append("one\n"), "");
    write_in_place(file(), std::string_view("one\n{\"cut"));
    EXPECT_EQ(append("two\n"), "");
    EXPECT_EQ(text_of(file()), "one\n{\"cut\ntwo\n");
}

TEST_F(DecisionStoreTest, a_line_is_written_whole_or_not_at_all) {
    EXPECT_EQ(append("one\n"), "");
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit tight { 7, before.rlim_max };  // room for half a line
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::string failure = append("twotwo\n");
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
    EXPECT_THAT(failure, HasSubstr("cannot record decisions in"));
    EXPECT_EQ(text_of(file()), "one\n");
}

}  // namespace
}  // namespace epochcast

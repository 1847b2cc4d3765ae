// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/log_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "unit/cli/fixture.hpp"

namespace epochcast {

using testing::ElementsAre;
using testing::HasSubstr;

class LogFiles : public CliTest {};

TEST_F(LogFiles, finds_logs_below_folders_once_and_sorted) {
    write("logs/2/b.h5", "x");
    write("logs/1/a.h5", "x");
    write("logs/1/note.txt", "x");
    std::vector<std::string> unreadable;
    const std::filesystem::path named[] = {dir_ / "logs", dir_ / "logs/1/a.h5"};
    const auto found = find_logs(named, unreadable);

    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(found.value(), ElementsAre(dir_ / "logs/1/a.h5", dir_ / "logs/2/b.h5"));
    EXPECT_TRUE(unreadable.empty());
}

TEST_F(LogFiles, does_not_walk_in_circles) {
    write("logs/a.h5", "x");
    std::filesystem::create_directory_symlink(dir_ / "logs", dir_ / "logs/again");
    std::vector<std::string> unreadable;
    const std::filesystem::path named[] = {dir_ / "logs"};

    EXPECT_EQ(find_logs(named, unreadable).value().size(), 1u);
}

TEST_F(LogFiles, names_what_does_not_exist) {
    std::vector<std::string> unreadable;
    const std::filesystem::path named[] = {dir_ / "missing\x1b"};
    const auto found = find_logs(named, unreadable);

    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::environment);
    EXPECT_THAT(found.error().message, HasSubstr("missing\\x1b"));
}

TEST_F(LogFiles, goes_on_past_a_folder_that_may_not_be_read) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read every folder";
    write("logs/a/a.h5", "x");
    write("logs/b/b.h5", "x");
    std::filesystem::permissions(dir_ / "logs/a", std::filesystem::perms::none);
    std::vector<std::string> unreadable;
    const std::filesystem::path named[] = {dir_ / "logs"};
    const auto found = find_logs(named, unreadable);

    ASSERT_TRUE(found);
    EXPECT_THAT(found.value(), ElementsAre(dir_ / "logs/b/b.h5"));
    EXPECT_THAT(unreadable, ElementsAre(HasSubstr("Permission denied")));
}

}  // namespace epochcast

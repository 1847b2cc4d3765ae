// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/process_tree.hpp"

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/eventually.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    write_in_place(path, text);
}

}  // namespace

TEST(ProcessTree, finds_children_and_their_children) {
    const pid_t shell = ::fork();
    if (shell == 0) {
        ::execlp("sh", "sh", "-c", "sleep 60 & sleep 60 & wait", nullptr);
        ::_exit(127);
    }
    EXPECT_TRUE(eventually([&] { return process_tree(shell).size() == 3; }));
    for (const int pid : process_tree(shell)) ::kill(pid, SIGKILL);
    ::waitpid(shell, nullptr, 0);
    EXPECT_THAT(process_tree(shell), IsEmpty());
}

TEST(ProcessTree, reads_the_lists_of_all_threads) {
    const TemporaryDir proc;
    write(proc.path() / "10/task/10/children", "11 12 ");
    write(proc.path() / "10/task/99/children", "13 ");
    write(proc.path() / "12/task/12/children", "14 ");
    EXPECT_THAT(process_tree(10, proc.path()), UnorderedElementsAre(10, 11, 12, 13, 14));
}

TEST(ProcessTree, goes_by_parents_where_the_kernel_lists_no_children) {
    const TemporaryDir proc;
    write(proc.path() / "10/stat", "10 (sh) S 1 10 10 0");
    write(proc.path() / "11/stat", "11 (a) S 7 (b) S 10 10 10 0");
    write(proc.path() / "12/stat", "12 (c) S 11 10 10 0");
    write(proc.path() / "13/stat", "13 (d) S 1 10 10 0");
    write(proc.path() / "self/stat", "hostile");
    write(proc.path() / "14/stat", "14 (e");
    EXPECT_THAT(process_tree(10, proc.path()), UnorderedElementsAre(10, 11, 12));
}

}  // namespace epochcast

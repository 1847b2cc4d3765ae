// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/eventually.hpp"
#include "support/temporary_dir.hpp"
#include "unit/decide/log_lines.hpp"
#include "unit/decide/sample_decision.hpp"

namespace epochcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JournalTest : public testing::Test {
  protected:
    JournalTest() { LogLines::taken(); }

    void push(std::uint32_t job_id, const std::filesystem::path& dir) {
        epochcast_decision_t decision = sample_decision(::geteuid());
        decision.job_id = job_id;
        epochcast_journal_push(journal_, dir.c_str(), &decision);
    }
    // The job ids in the file of this user, in order.
    std::vector<std::uint32_t> jobs_on_disk() const {
        std::istringstream lines(
            text_of(dir_.path() / std::to_string(::geteuid()) / "decisions.jsonl"));
        std::vector<std::uint32_t> jobs;
        for (std::string line; std::getline(lines, line);) {
            jobs.push_back(nlohmann::json::parse(line)["job_id"]);
        }
        return jobs;
    }

    const TemporaryDir dir_;
    epochcast_journal_t* journal_ = epochcast_journal_start(LogLines::add);
};

TEST_F(JournalTest, writes_decisions_in_the_order_of_their_making) {
    push(1, dir_.path());
    push(2, dir_.path());
    EXPECT_TRUE(eventually([&] { return jobs_on_disk().size() == 2; }));
    push(3, dir_.path());
    epochcast_journal_stop(journal_);
    EXPECT_THAT(jobs_on_disk(), ElementsAre(1, 2, 3));
    EXPECT_THAT(LogLines::taken(), IsEmpty());
}

TEST_F(JournalTest, without_a_folder_nothing_is_recorded) {
    push(1, "");
    epochcast_journal_push(journal_, nullptr, nullptr);
    epochcast_journal_push(nullptr, dir_.path().c_str(), nullptr);
    epochcast_journal_stop(journal_);
    epochcast_journal_stop(nullptr);
    EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
    EXPECT_THAT(LogLines::taken(), IsEmpty());
}

TEST_F(JournalTest, a_missing_folder_is_told_once) {
    push(1, dir_.path() / "missing");
    EXPECT_TRUE(eventually([] { return LogLines::count() == 1; }));
    push(2, dir_.path() / "missing");
    push(3, dir_.path());
    epochcast_journal_stop(journal_);
    EXPECT_THAT(LogLines::taken(), ElementsAre(HasSubstr("/missing': No such file")));
    EXPECT_THAT(jobs_on_disk(), ElementsAre(3)) << "others are not held up";
}

TEST_F(JournalTest, too_many_at_once_are_dropped_not_waited_for) {
    constexpr std::uint32_t pushed = 200'000;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < pushed; ++i) push(i, dir_.path());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    epochcast_journal_stop(journal_);
    const auto jobs = jobs_on_disk();
    EXPECT_GE(jobs.size(), 512u);
    EXPECT_LT(jobs.size(), pushed);
    EXPECT_TRUE(std::ranges::is_sorted(jobs));
    EXPECT_THAT(LogLines::taken(), ElementsAre(HasSubstr("more at once than can be written")));
}

TEST_F(JournalTest, a_forked_child_may_stop_what_it_inherited) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::alarm(5);
        epochcast_journal_stop(journal_);
        ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << status;
    epochcast_journal_stop(journal_);
}

}  // namespace
}  // namespace epochcast

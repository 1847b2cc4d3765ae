// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// What may happen to a history folder: several writers, kills, no space, damaged segments.

#include <gmock/gmock.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "epoch_log/writer.hpp"
#include "history/history.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::in_child;
using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const ClassOfHost all_fast = [](const std::string&) { return std::optional<std::string>("fast"); };

class DurableHistory : public ::testing::Test {
  protected:
    std::filesystem::path log(int job, std::uint64_t epochs = 3) {
        LogHeader header = sample_header();
        header.job_id = std::to_string(job);
        Result<LogWriter> log = LogWriter::create(temp_.path() / "logs", header);
        for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
            EXPECT_TRUE(log.value().append(sample_record(epoch)));
        }
        return log.value().path();
    }
    // 0 if all went well.
    int add(const std::vector<std::filesystem::path>& logs) {
        Result<History> history = History::open(dir_);
        return history && history.value().add(logs, all_fast) ? 0 : 1;
    }
    std::size_t records() {
        const Result<History> history = History::open(dir_);
        EXPECT_THAT(history.value().problems(), IsEmpty());
        return history.value().series().empty() ? 0 : history.value().series()[0].records.size();
    }
    const TempDir temp_;
    const std::filesystem::path dir_ = temp_.path() / "history";
};

TEST_F(DurableHistory, neither_loses_nor_doubles_rows_when_several_processes_add) {
    std::vector<std::filesystem::path> logs;
    for (int job = 0; job < 12; ++job) {
        logs.push_back(log(job));
    }
    std::vector<pid_t> children;
    for (int child = 0; child < 6; ++child) {
        children.push_back(fork());
        if (children.back() == 0) {
            int failed = 0;
            for (int job = 0; job < 8; ++job) {  // each log is added by four of the children
                failed += add({logs[static_cast<std::size_t>(child * 2 + job) % logs.size()]});
            }
            _exit(failed);
        }
    }
    for (const pid_t child : children) {
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }

    EXPECT_EQ(records(), 12u * 3u);
}

TEST_F(DurableHistory, is_whole_after_an_adding_process_was_killed) {
    std::vector<std::filesystem::path> logs;
    for (int job = 0; job < 15; ++job) {
        logs.push_back(log(job));
    }
    for (int round = 0; round < 8; ++round) {
        std::filesystem::remove_all(dir_);
        const pid_t child = fork();
        if (child == 0) {
            for (const auto& path : logs) {
                add({path});
            }
            _exit(0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2 + 2 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);

        EXPECT_EQ(records() % 3, 0u) << "an intake is there whole or not at all";
        ASSERT_EQ(add(logs), 0);
        EXPECT_EQ(records(), 15u * 3u);
    }
}

TEST_F(DurableHistory, sets_a_damaged_segment_aside_and_gets_its_rows_back_from_the_logs) {
    const std::vector<std::filesystem::path> logs = {log(1), log(2), log(3)};
    for (const auto& path : logs) {
        ASSERT_EQ(add({path}), 0);
    }
    ASSERT_EQ(records(), 9u);
    std::filesystem::resize_file(dir_ / "segment-000002.h5", 1000);

    Result<History> history = History::open(dir_);
    ASSERT_TRUE(history) << history.error().message;
    EXPECT_THAT(history.value().series()[0].records, SizeIs(6));
    EXPECT_THAT(history.value().problems(), ElementsAre(HasSubstr("segment-000002.h5")));

    const Result<Intake> intake = history.value().add(logs, all_fast);
    EXPECT_EQ(intake.value().new_epochs, 3u);
    EXPECT_EQ(intake.value().known_epochs, 6u);
    EXPECT_THAT(history.value().series()[0].records, SizeIs(9));
    EXPECT_TRUE(std::filesystem::exists(dir_ / "segment-000004.h5"));
}

TEST_F(DurableHistory, refuses_segments_with_impossible_content) {
    if (!test::has_h5py()) {
        GTEST_SKIP() << "needs python3-h5py";
    }
    ASSERT_EQ(add({log(1)}), 0);
    const auto segment = dir_ / "segment-000001.h5";
    std::filesystem::copy_file(segment, temp_.path() / "good.h5");
    const char* const damages[] = {
        "f['rows'][0] = (9, 0, f['rows'][0]['record'])",  // of no log
        "f['rows'][0] = (0, 7, f['rows'][0]['record'])",  // of no row that was taken
        "r = f['rows'][:]; r['record']['wall_s'] = -1; f['rows'][:] = r",
        "r = f['rows'][:]; r['record']['unit'] = 3; f['rows'][:] = r",
        "r = f['parts'][:]; r['nodes'] = 0; f['parts'][:] = r",
        "r = f['parts'][:]; r['uid'] = 2**40; f['parts'][:] = r",
        "r = f['parts'][:]; r['node_class'] = b'a\\x1bb'; f['parts'][:] = r",
        "del f['rows']",
        "del f.attrs['schema']",
        "f.attrs['schema_version'] = 2",
    };
    for (const char* damage : damages) {
        std::filesystem::copy_file(
            temp_.path() / "good.h5", segment, std::filesystem::copy_options::overwrite_existing);
        ASSERT_TRUE(
            test::python("import h5py, sys\nf = h5py.File(sys.argv[1], 'r+', libver='latest')\n" +
                             std::string(damage),
                         segment))
            << damage;

        const Result<History> history = History::open(dir_);

        ASSERT_TRUE(history) << history.error().message;
        EXPECT_THAT(history.value().series(), IsEmpty()) << damage;
        EXPECT_THAT(history.value().problems(), ElementsAre(HasSubstr("segment-000001.h5")))
            << damage;
    }
}

TEST_F(DurableHistory, ignores_files_that_are_no_segments) {
    ASSERT_EQ(add({log(1)}), 0);
    for (const char* name : {"notes.txt",
                             "segment-.h5",
                             "segment-1x.h5",
                             "segment-000009.h5.bak",
                             ".new-segment.h5",
                             "segment-99999999999999999999.h5"}) {
        std::ofstream(dir_ / name) << "x";
    }

    EXPECT_EQ(records(), 3u);
    EXPECT_EQ(add({log(2)}), 0);
    EXPECT_EQ(records(), 6u);
    EXPECT_TRUE(std::filesystem::exists(dir_ / "segment-000002.h5"));
}

TEST_F(DurableHistory, is_unchanged_where_there_is_no_space) {
    const auto path = log(1, 3);
    const auto more = log(2, 500);
    ASSERT_EQ(add({path}), 0);

    EXPECT_EQ(in_child([&] {
                  const rlimit limit{20'000, 20'000};
                  setrlimit(RLIMIT_FSIZE, &limit);
                  Result<History> history = History::open(dir_);
                  const std::vector<std::filesystem::path> logs = {more};
                  const Result<Intake> intake = history.value().add(logs, all_fast);
                  if (intake || history.value().series()[0].records.size() != 3) {
                      std::exit(1);
                  }
                  std::cout << intake.error().message << "\n";
                  std::exit(intake.error().kind == ErrorKind::environment ? 0 : 2);
                  return 3;
              }),
              0);

    EXPECT_EQ(records(), 3u);
    EXPECT_FALSE(std::filesystem::exists(dir_ / ".new-segment.h5"));
    EXPECT_EQ(add({more}), 0);
    EXPECT_EQ(records(), 503u);
}

TEST_F(DurableHistory, can_be_read_but_not_added_to_without_permission) {
    const auto path = log(1);
    const auto more = log(2);
    ASSERT_EQ(add({path}), 0);
    ASSERT_EQ(chmod(temp_.path().c_str(), 0755), 0);
    ASSERT_EQ(chmod((dir_ / "segment-000001.h5").c_str(), 0444), 0);
    ASSERT_EQ(chmod((dir_ / "lock").c_str(), 0444), 0);
    ASSERT_EQ(chmod(dir_.c_str(), 0555), 0);
    constexpr int is_skipped = 77;

    const int status = in_child([&] {
        if (geteuid() == 0 &&
            (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) {
            return is_skipped;
        }
        Result<History> history = History::open(dir_);
        if (!history || history.value().series().empty()) {
            return 1;
        }
        const std::vector<std::filesystem::path> logs = {more};
        const Result<Intake> intake = history.value().add(logs, all_fast);
        const std::string message = intake ? "added" : intake.error().message;
        std::cout << message << "\n";
        return message.find("Permission denied") != std::string::npos ? 0 : 2;
    });
    chmod(dir_.c_str(), 0755);

    if (status == is_skipped) {
        GTEST_SKIP() << "cannot become an ordinary user";
    }
    EXPECT_EQ(status, 0);
}

TEST_F(DurableHistory, segments_open_in_h5py) {
    if (!test::has_h5py()) {
        GTEST_SKIP() << "needs python3-h5py";
    }
    ASSERT_EQ(add({log(1)}), 0);

    EXPECT_TRUE(test::python(R"py(
import h5py, sys
with h5py.File(sys.argv[1], 'r') as f:
    assert f.attrs['schema'] == b'epochcast.history_segment', f.attrs['schema']
    assert list(f['rows']['record']['epoch']) == [0, 1, 2]
    assert f['parts'][0]['task_name'] == b'mnist/cnn'
    assert f['parts'][0]['node_class'] == b'fast' and f['parts'][0]['startup_s'] == 5.0
)py",
                             dir_ / "segment-000001.h5"));
}

}  // namespace
}  // namespace epochcast

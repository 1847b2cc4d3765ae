// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "history/history.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <set>

#include "epoch_log/writer.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Hosts fast1, fast2 are of class "fast", slow1 of "slow", others of none.
std::optional<std::string> class_of(const std::string& host) {
    const std::string name = host.substr(0, 4);
    return name == "fast" || name == "slow" ? std::optional(name) : std::nullopt;
}

class HistoryFolder : public ::testing::Test {
  protected:
    // A log of the epochs [first, end) whose wall times are `wall_s`.
    std::filesystem::path log(const LogHeader& header,
                              std::uint64_t first,
                              std::uint64_t end,
                              double wall_s = 2.0,
                              bool resumed = false) {
        Result<LogWriter> log = LogWriter::create(logs_, header, resumed);
        EXPECT_TRUE(log) << log.error().message;
        append(log.value(), first, end, wall_s);
        return log.value().path();
    }
    static void append(LogWriter& log, std::uint64_t first, std::uint64_t end, double wall_s) {
        for (std::uint64_t epoch = first; epoch < end; ++epoch) {
            EpochRecord record = sample_record(epoch);
            record.wall_s = wall_s;
            record.start_ns += log.header().restart;  // later starts run later
            EXPECT_TRUE(log.append(sample_record(epoch, 0)));
            EXPECT_TRUE(log.append(record));
        }
    }
    History open() {
        Result<History> history = History::open(dir_);
        EXPECT_TRUE(history) << history.error().message;
        return std::move(history).value();
    }
    static LogHeader job(const std::string& id, const std::string& host = "fast1") {
        LogHeader header = sample_header();
        header.job_id = id;
        header.nodes = {{host, 4, 2}};
        return header;
    }
    static std::vector<double> wall_times(const Series& series) {
        std::vector<double> times;
        for (const EpochRecord& record : series.records) {
            times.push_back(record.wall_s);
        }
        return times;
    }

    const TempDir temp_;
    const std::filesystem::path logs_ = temp_.path() / "logs";
    const std::filesystem::path dir_ = temp_.path() / "history";
};

TEST_F(HistoryFolder, takes_in_logs_and_gives_series_per_task_and_placement) {
    const std::vector<std::filesystem::path> logs = {log(job("1", "slow1"), 0, 3, 9.0),
                                                     log(job("2", "fast1"), 0, 4),
                                                     log(job("3", "fast2"), 0, 2)};
    History history = open();

    const Result<Intake> intake = history.add(logs, class_of);

    ASSERT_TRUE(intake) << intake.error().message;
    EXPECT_EQ(intake.value().logs, 3u);
    EXPECT_EQ(intake.value().new_epochs, 9u);
    EXPECT_EQ(intake.value().known_epochs, 0u);
    EXPECT_THAT(intake.value().refused, IsEmpty());
    for (const History& same : {history, open()}) {
        ASSERT_THAT(same.series(), SizeIs(2));
        const Series& fast = same.series()[0];
        const Series& slow = same.series()[1];
        EXPECT_EQ(fast.task, sample_header().task);
        EXPECT_EQ(fast.attributes, sample_header().attributes);
        EXPECT_EQ(fast.placement, (Placement{"fast", 1, 0}));
        EXPECT_THAT(fast.records, SizeIs(6));
        EXPECT_EQ(fast.records[0].cpu_s, 7.5);
        EXPECT_EQ(fast.records[0].unit, unit_model_job);
        EXPECT_THAT(fast.startups_s, SizeIs(2));
        EXPECT_EQ(slow.placement, (Placement{"slow", 1, 0}));
        EXPECT_THAT(wall_times(slow), ElementsAre(9.0, 9.0, 9.0));
        EXPECT_THAT(slow.startups_s, ElementsAre(5.0));
        EXPECT_THAT(same.problems(), IsEmpty());
    }
}

TEST_F(HistoryFolder, counts_nothing_twice) {
    const std::vector<std::filesystem::path> logs = {log(job("1"), 0, 3)};
    std::filesystem::create_directory(temp_.path() / "copy");
    const std::vector<std::filesystem::path> again = {logs[0], temp_.path() / "copy" / "x.h5"};
    std::filesystem::copy_file(logs[0], again[1]);
    History history = open();
    ASSERT_TRUE(history.add(logs, class_of));

    const Result<Intake> intake = history.add(again, class_of);

    ASSERT_TRUE(intake) << intake.error().message;
    EXPECT_EQ(intake.value().logs, 0u);
    EXPECT_EQ(intake.value().new_epochs, 0u);
    EXPECT_EQ(intake.value().known_epochs, 6u);
    EXPECT_THAT(history.series()[0].records, SizeIs(3));
    EXPECT_THAT(history.series()[0].startups_s, SizeIs(1));
}

TEST_F(HistoryFolder, takes_only_the_new_rows_of_a_log_that_grew) {
    History history = open();
    Result<LogWriter> log = LogWriter::create(logs_, job("1"));
    const std::vector<std::filesystem::path> logs = {log.value().path()};
    ASSERT_TRUE(history.add(logs, class_of));
    EXPECT_THAT(history.series(), IsEmpty());
    for (const std::uint64_t epoch : {0, 2, 4}) {
        append(log.value(), epoch, epoch + 2, 2.0);

        const Result<Intake> intake = history.add(logs, class_of);

        EXPECT_EQ(intake.value().new_epochs, 2u);
        EXPECT_EQ(intake.value().known_epochs, epoch);
        EXPECT_THAT(open().series()[0].records, SizeIs(epoch + 2));
        EXPECT_THAT(open().series()[0].startups_s, ElementsAre(5.0));
    }
}

TEST_F(HistoryFolder, an_epoch_that_a_resumed_job_ran_again_counts_once_and_the_last_time) {
    const auto first = log(job("1"), 0, 3, 2.0);
    const auto resumed = log(job("1"), 2, 5, 3.0, true);
    // Whichever is taken in first.
    for (const auto& logs :
         std::vector<std::vector<std::filesystem::path>>{{first, resumed}, {resumed, first}}) {
        std::filesystem::remove_all(dir_);
        History history = open();

        const Result<Intake> intake = history.add(logs, class_of);

        EXPECT_EQ(intake.value().new_epochs, 5u);
        EXPECT_EQ(intake.value().known_epochs, 1u);
        EXPECT_THAT(wall_times(history.series()[0]), ElementsAre(2.0, 2.0, 3.0, 3.0, 3.0));
        EXPECT_THAT(history.series()[0].startups_s, SizeIs(2));
    }
}

TEST_F(HistoryFolder, a_job_that_began_again_from_the_start_ran_its_epochs_anew) {
    const std::vector<std::filesystem::path> logs = {
        log(job("1"), 0, 3), log(job("1"), 0, 3), log(job("1"), 2, 4, 2.0, true)};
    History history = open();

    EXPECT_EQ(history.add(logs, class_of).value().new_epochs, 7u);

    EXPECT_THAT(history.series()[0].records, SizeIs(7));
}

TEST_F(HistoryFolder, partial_rows_are_kept_but_are_no_epochs) {
    Result<LogWriter> log = LogWriter::create(logs_, job("1"));
    EpochRecord partial = sample_record(0);
    partial.flags = epoch_partial;
    ASSERT_TRUE(log.value().append(partial));
    ASSERT_TRUE(log.value().append(sample_record(0)));
    const std::vector<std::filesystem::path> logs = {log.value().path()};
    History history = open();

    EXPECT_EQ(history.add(logs, class_of).value().new_epochs, 1u);

    EXPECT_THAT(history.series()[0].records, SizeIs(2));
}

TEST_F(HistoryFolder, refuses_hosts_of_no_class_or_of_several_and_says_which) {
    LogHeader mixed = job("1");
    mixed.nodes = {{"fast1", 4, 2}, {"slow1", 4, 2}};
    const std::vector<std::filesystem::path> logs = {
        log(mixed, 0, 2), log(job("2", "laptop"), 0, 2), log(job("3"), 0, 2), logs_ / "none.h5"};
    History history = open();

    const Result<Intake> intake = history.add(logs, class_of);

    ASSERT_TRUE(intake) << intake.error().message;
    EXPECT_EQ(intake.value().logs, 1u);
    EXPECT_THAT(intake.value().refused,
                ElementsAre(HasSubstr("-1.main.r0.h5': its hosts belong to several node classes "
                                      "(fast, slow)"),
                            HasSubstr("-2.main.r0.h5': its host 'laptop' belongs to no node class"),
                            HasSubstr("none.h5': No such file or directory")));
}

TEST_F(HistoryFolder, counts_each_host_once_as_a_node) {
    LogHeader header = job("1");
    header.nodes = {{"fast1", 4, 2}, {"fast2", 4, 2}, {"fast2", 4, 2}};
    const std::vector<std::filesystem::path> logs = {log(header, 0, 2)};
    History history = open();
    ASSERT_TRUE(history.add(logs, class_of));

    EXPECT_EQ(history.series()[0].placement, (Placement{"fast", 2, 0}));
}

TEST_F(HistoryFolder, never_mixes_records_of_different_attributes_or_tasks) {
    LogHeader other_batch = job("2");
    other_batch.attributes.batch_per_device = 64;
    LogHeader other_task = job("3");
    other_task.task.name = "abc";
    LogHeader other_user = job("4");
    other_user.task.scope = "user:1";
    const std::vector<std::filesystem::path> logs = {
        log(job("1"), 0, 1), log(other_batch, 0, 1), log(other_task, 0, 1), log(other_user, 0, 1)};
    History history = open();
    ASSERT_TRUE(history.add(logs, class_of));

    const auto& series = history.series();
    ASSERT_THAT(series, SizeIs(4));
    EXPECT_EQ(series[0].task.scope, "user:1");
    EXPECT_EQ(series[1].task.name, "abc");
    EXPECT_EQ(series[2].attributes.batch_per_device, std::nullopt);
    EXPECT_EQ(series[3].attributes.batch_per_device, 64u);
}

TEST_F(HistoryFolder, leaves_out_rows_that_cannot_be_true_and_says_so_once) {
    Result<LogWriter> log = LogWriter::create(logs_, job("1"));
    EpochRecord absurd = sample_record(1);
    absurd.cpu_s = -5;
    ASSERT_TRUE(log.value().append(sample_record(0)));
    ASSERT_TRUE(log.value().append(absurd));
    const std::vector<std::filesystem::path> logs = {log.value().path()};
    History history = open();

    const Result<Intake> first = history.add(logs, class_of);
    const Result<Intake> second = history.add(logs, class_of);

    EXPECT_EQ(first.value().new_epochs, 1u);
    EXPECT_THAT(first.value().left_out,
                ElementsAre(HasSubstr("1 rows left out, the first is epoch 1: cpu_s is -5")));
    EXPECT_THAT(second.value().left_out, IsEmpty());
    EXPECT_THAT(history.series()[0].records, SizeIs(1));
}

TEST_F(HistoryFolder, ignores_start_up_times_that_no_job_can_have) {
    LogHeader late = job("1");
    late.start_ns += 3600 * test::second_ns;  // the clock was set back after the start
    LogHeader ancient = job("2");
    ancient.start_ns = 1;
    const std::vector<std::filesystem::path> logs = {log(late, 0, 1), log(ancient, 0, 1)};
    History history = open();
    ASSERT_TRUE(history.add(logs, class_of));

    EXPECT_THAT(history.series()[0].records, SizeIs(2));
    EXPECT_THAT(history.series()[0].startups_s, IsEmpty());
}

TEST_F(HistoryFolder, is_empty_where_there_is_none_and_an_error_where_it_cannot_be) {
    EXPECT_THAT(open().series(), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(dir_)) << "opening makes nothing";
    fclose(fopen(dir_.c_str(), "w"));

    const Result<History> history = History::open(dir_);

    ASSERT_FALSE(history);
    EXPECT_EQ(history.error().kind, ErrorKind::environment);
    EXPECT_THAT(history.error().message, HasSubstr("Not a directory"));
}

}  // namespace
}  // namespace epochcast

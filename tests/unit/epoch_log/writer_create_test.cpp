// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Which file LogWriter::create() makes, for whom, and for which headers it makes none.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <set>
#include <vector>

#include "epoch_log/reader.hpp"
#include "epoch_log/writer.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::HasSubstr;

std::uint32_t mode_of(const std::filesystem::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

std::string creation_error(const std::filesystem::path& dir, const LogHeader& header) {
    const Result<LogWriter> writer = LogWriter::create(dir, header);
    return writer ? "created" : writer.error().message;
}

TEST(LogWriterCreate, sets_the_modes_whatever_the_umask_is) {
    const TempDir dir;
    for (const mode_t mask : {0000, 0027, 0077}) {
        const auto log_dir = dir.path() / std::to_string(mask) / "logs";
        const mode_t before = umask(mask);
        const Result<LogWriter> log = LogWriter::create(log_dir, sample_header());
        umask(before);

        ASSERT_TRUE(log) << log.error().message;
        EXPECT_EQ(mode_of(log.value().path()), 0640u);
        EXPECT_EQ(mode_of(log_dir / "4711"), 0750u);
    }
}

TEST(LogWriterCreate, keeps_the_group_of_a_shared_log_directory) {
    const TempDir dir;
    ASSERT_EQ(chmod(dir.path().c_str(), 03777), 0);

    const Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());

    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(mode_of(dir.path()), 03777u);
    EXPECT_EQ(mode_of(dir.path() / "4711") & S_ISGID, static_cast<unsigned>(S_ISGID));
}

TEST(LogWriterCreate, refuses_a_user_folder_that_leads_elsewhere) {
    const TempDir dir;
    std::filesystem::create_directory(dir.path() / "elsewhere");
    std::filesystem::create_directory_symlink(dir.path() / "elsewhere", dir.path() / "4711");

    EXPECT_THAT(creation_error(dir.path(), sample_header()),
                HasSubstr("it is no folder that belongs to user 4711"));
    EXPECT_TRUE(std::filesystem::is_empty(dir.path() / "elsewhere"));
}

TEST(LogWriterCreate, refuses_texts_that_are_unfit_and_names_field_value_and_rule) {
    const TempDir dir;
    const auto with = [&](auto change) {
        LogHeader header = sample_header();
        change(header);
        return creation_error(dir.path(), header);
    };
    const std::string huge(5000, 'x');
    EXPECT_THAT(with([&](LogHeader& h) { h.model_job = huge; }),
                HasSubstr("(5000 bytes) is longer than 120 bytes"));
    EXPECT_THAT(with([](LogHeader& h) { h.model_job = "../../etc/x"; }),
                HasSubstr("model_job '../../etc/x' has other characters than"));
    EXPECT_THAT(with([](LogHeader& h) { h.job_id = "12 34"; }), HasSubstr("job_id '12 34'"));
    EXPECT_THAT(with([](LogHeader& h) { h.cluster = ""; }), HasSubstr("cluster '' is empty"));
    EXPECT_THAT(with([](LogHeader& h) { h.task.name = "a 'task' – ü"; }), HasSubstr("task_name"));
    EXPECT_THAT(with([&](LogHeader& h) { h.attributes.dataset = huge; }), HasSubstr("dataset"));
    EXPECT_THAT(with([](LogHeader& h) { h.attributes.model = "a\nb"; }),
                HasSubstr("model 'a\\x0ab' has control characters"));
    EXPECT_THAT(with([](LogHeader& h) { h.attributes.model = "caf\xe9"; }),
                HasSubstr("is not UTF-8"));
    EXPECT_THAT(with([&](LogHeader& h) { h.nodes[1].host = huge; }), HasSubstr("host"));
    EXPECT_THAT(with([](LogHeader& h) { h.nodes.clear(); }), HasSubstr("1 to 100000 nodes"));
    EXPECT_TRUE(std::filesystem::is_empty(dir.path())) << "nothing is made for a refused header";
}

TEST(LogWriterCreate, accepts_the_longest_names_that_fit) {
    const TempDir dir;
    LogHeader header = sample_header();
    header.cluster = std::string(40, 'c');
    header.job_id = std::string(72, 'j');
    header.model_job = std::string(120, 'm');

    Result<LogWriter> log = LogWriter::create(dir.path(), header);

    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(read_log(log.value().path()).value().header.model_job, header.model_job);
}

TEST(LogWriterCreate, cuts_texts_for_people_between_characters) {
    const TempDir dir;
    LogHeader header = sample_header();
    header.note.clear();
    for (int i = 0; i < 2500; ++i) {
        header.note += "ü";  // two bytes each
    }
    header.note.insert(0, "x");
    header.writer = "a\tb\xff";
    Result<LogWriter> log = LogWriter::create(dir.path(), header);
    ASSERT_TRUE(log) << log.error().message;
    ASSERT_TRUE(log.value().append({EventKind::end, 1, 0, std::string(5000, 'e')}));

    const Result<EpochLog> read = read_log(log.value().path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read.value().header.note.size(), 1023u);
    EXPECT_EQ(read.value().header.note, header.note.substr(0, 1023));
    EXPECT_EQ(read.value().header.writer, "a?b?");
    EXPECT_EQ(read.value().events.back().text, std::string(127, 'e'));
}

TEST(LogWriterCreate, writers_that_start_together_never_share_a_file) {
    const TempDir dir;
    std::vector<pid_t> children;
    for (int i = 0; i < 12; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
            _exit(log && log.value().append(sample_record(0)) ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }

    std::set<std::uint32_t> numbers;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "4711")) {
        const Result<EpochLog> log = read_log(entry.path());
        ASSERT_TRUE(log) << log.error().message;
        EXPECT_EQ(log.value().rows.size(), 1u);
        numbers.insert(log.value().header.restart);
    }
    EXPECT_EQ(numbers.size(), 12u);
}

TEST(LogWriterCreate, gives_each_restart_the_next_number) {
    const TempDir dir;
    const auto user_dir = dir.path() / "4711";
    for (const std::uint32_t expected : {0u, 1u, 2u}) {
        const Result<LogWriter> log = LogWriter::create(dir.path(), sample_header(), expected > 0);
        ASSERT_TRUE(log) << log.error().message;
        EXPECT_EQ(log.value().header().restart, expected);
        EXPECT_EQ(log.value().path(),
                  user_dir / ("testcluster-1234_7.main.r" + std::to_string(expected) + ".h5"));
        const Result<EpochLog> read = read_log(log.value().path());
        EXPECT_EQ(read.value().header.restart, expected);
        EXPECT_EQ(read.value().events.at(0).kind,
                  expected > 0 ? EventKind::resume : EventKind::start);
    }
}

TEST(LogWriterCreate, lies_beside_the_job_script_or_in_the_current_folder) {
    EXPECT_EQ(default_log_dir("/home/u/run"), "/home/u/run/epochcast-logs");
    EXPECT_EQ(default_log_dir(""), "./epochcast-logs");
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/reader.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <utime.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "epoch_log/writer.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A writer in a process of its own that appends for ever, until it is killed.
class EndlessWriter {
  public:
    explicit EndlessWriter(const std::filesystem::path& dir)
        : path_(dir / "4711" / "testcluster-1234_7.main.r0.h5"), child_(fork()) {
        if (child_ == 0) {
            Result<LogWriter> log = LogWriter::create(dir, sample_header());
            for (std::uint64_t epoch = 0; log; ++epoch) {
                if (!log.value().append(sample_record(epoch))) {
                    break;
                }
            }
            _exit(1);
        }
    }
    ~EndlessWriter() { kill(); }
    EndlessWriter(const EndlessWriter&) = delete;
    EndlessWriter& operator=(const EndlessWriter&) = delete;

    void kill() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            waitpid(child_, nullptr, 0);
            child_ = -1;
        }
    }
    const std::filesystem::path& path() const { return path_; }
    // Waits until the log has more than `rows` rows, at most 10 s; the last content read.
    EpochLog wait_for_more_than(std::size_t rows) const {
        EpochLog log;
        for (int i = 0; i < 1000 && log.rows.size() <= rows; ++i) {
            if (Result<EpochLog> read = read_log(path_)) {
                log = std::move(read).value();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return log;
    }

  private:
    std::filesystem::path path_;
    pid_t child_;
};

bool are_in_order(const std::vector<EpochRecord>& rows) {
    for (std::uint64_t epoch = 0; epoch < rows.size(); ++epoch) {
        if (rows[epoch].epoch != epoch || rows[epoch].wall_s != 2.0) {
            return false;
        }
    }
    return true;
}

constexpr const char* h5py_counts_swmr_rows = R"py(
import h5py, sys
with h5py.File(sys.argv[1], 'r', swmr=True) as f:
    e = f['epochs']
    assert e.shape[0] > 100, e.shape
    assert (e['epoch'] == range(e.shape[0])).all()
    assert f.attrs['task_name'].decode() == 'mnist/cnn'
    total = f['totals'][0]['total_epochs']
    e.refresh()  # the writer goes on meanwhile
    assert 0 < total <= e.shape[0], (total, e.shape)
)py";

TEST(ReadLog, follows_a_log_that_another_process_is_writing) {
    const TempDir dir;
    const EndlessWriter writer(dir.path());

    const EpochLog first = writer.wait_for_more_than(100);
    const EpochLog later = writer.wait_for_more_than(first.rows.size());

    EXPECT_GT(first.rows.size(), 100u);
    EXPECT_GT(later.rows.size(), first.rows.size());
    EXPECT_TRUE(are_in_order(later.rows));
    EXPECT_FALSE(later.ended());
    EXPECT_THAT(check_log(writer.path()).value(), IsEmpty());
    if (!test::has_h5py()) {
        GTEST_SKIP() << "the h5py half needs python3-h5py";
    }
    EXPECT_TRUE(test::python(h5py_counts_swmr_rows, writer.path()));
}

TEST(ReadLog, has_every_row_of_a_writer_that_was_killed) {
    for (int round = 0; round < 10; ++round) {
        const TempDir dir;
        EndlessWriter writer(dir.path());
        const std::size_t seen = writer.wait_for_more_than(100).rows.size();
        std::this_thread::sleep_for(std::chrono::microseconds(137 * round));
        writer.kill();

        const Result<EpochLog> log = read_log(writer.path());

        ASSERT_TRUE(log) << log.error().message;
        EXPECT_GE(log.value().rows.size(), seen);
        EXPECT_TRUE(are_in_order(log.value().rows));
        EXPECT_THAT(check_log(writer.path()).value(), IsEmpty());
    }
}

TEST(ReadLog, a_killed_writers_log_opens_in_h5py) {
    if (!test::has_h5py()) {
        GTEST_SKIP() << "needs python3-h5py";
    }
    const TempDir dir;
    EndlessWriter writer(dir.path());
    writer.wait_for_more_than(100);
    writer.kill();

    EXPECT_TRUE(test::python(h5py_counts_swmr_rows, writer.path()));
}

TEST(ReadLog, never_changes_the_file) {
    const TempDir dir;
    EndlessWriter writer(dir.path());
    writer.wait_for_more_than(100);
    writer.kill();
    const auto content = [&] {
        std::ifstream in(writer.path());
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::string before = content();
    ASSERT_EQ(chmod(writer.path().c_str(), 0440), 0);

    ASSERT_TRUE(read_log(writer.path()));

    EXPECT_TRUE(content() == before);
}

TEST(ReadLog, waits_for_a_log_that_is_being_created) {
    const TempDir dir;
    for (int round = 0; round < 20; ++round) {
        const auto round_dir = dir.path() / std::to_string(round);
        const EndlessWriter writer(round_dir);
        while (!std::filesystem::exists(writer.path())) {
        }

        const Result<EpochLog> log = read_log(writer.path());

        ASSERT_TRUE(log) << log.error().message;
    }
}

TEST(ReadLog, does_not_wait_for_an_old_file_that_is_no_log) {
    const TempDir dir;
    const auto path = dir.path() / "old.h5";
    std::ofstream(path) << "not HDF5";
    const utimbuf long_ago{1'000'000'000, 1'000'000'000};
    ASSERT_EQ(utime(path.c_str(), &long_ago), 0);

    const auto begin = std::chrono::steady_clock::now();
    const Result<EpochLog> log = read_log(path);

    EXPECT_THAT(log.error().message, HasSubstr("is not an HDF5 file"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
}

TEST(ReadLog, tells_a_missing_file_from_a_forbidden_and_a_bad_one) {
    const TempDir dir;
    const Result<EpochLog> missing = read_log(dir.path() / "none.h5");

    EXPECT_EQ(missing.error().kind, ErrorKind::environment);
    EXPECT_THAT(missing.error().message, HasSubstr("No such file or directory"));
    EXPECT_EQ(check_log(dir.path() / "none.h5").error().kind, ErrorKind::environment);
}

TEST(ReadLog, refuses_the_collected_files_that_are_no_epoch_logs) {
    const auto cases = test::data_dir() / "cases" / "hdf5";
    if (test::data_dir().empty()) {
        GTEST_SKIP() << "EPOCHCAST_DATA is not set; it names the folder that has data/ and cases/";
    }
    const auto refusal = [&](const char* name) {
        const Result<EpochLog> log = read_log(cases / name);
        EXPECT_FALSE(check_log(cases / name)) << name;
        if (log) {
            return std::string("read");
        }
        EXPECT_EQ(log.error().kind, ErrorKind::bad_input) << log.error().message;
        EXPECT_THAT(log.error().message, HasSubstr(name));
        return log.error().message;
    };
    EXPECT_THAT(refusal("h1-sh5util-merged-job.h5"), HasSubstr("no epoch log"));
    EXPECT_THAT(refusal("h2-truncated-half.h5"), HasSubstr("truncated file"));
    EXPECT_THAT(refusal("h4-empty.h5"), HasSubstr("is empty"));
    EXPECT_THAT(refusal("h5-killed-writer-flag-set.h5"), HasSubstr("already open for write"));
    EXPECT_THAT(refusal("h6-killed-swmr-writer.h5"), HasSubstr("no epoch log"));
    EXPECT_THAT(refusal("h7-not-hdf5.h5"), HasSubstr("is not an HDF5 file"));
    EXPECT_THAT(refusal("h1-step0-task0.csv"), HasSubstr("is not an HDF5 file"));
}

}  // namespace
}  // namespace epochcast

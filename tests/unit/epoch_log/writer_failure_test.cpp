// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// What a machine can do to a writer: no space, no permission, no locks, no folder. Each case runs
// in a child process, since it changes what the whole process may do.

#include <errno.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cstddef>

#include "epoch_log/reader.hpp"
#include "epoch_log/writer.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::in_child;
using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::HasSubstr;

constexpr int is_skipped = 77;

// Appends until it fails, then goes on as a training would. 0 if each failure was an Error that
// says `reason` and every row that was accepted before can be read.
int fill_up(const std::filesystem::path& dir, const std::string& reason) {
    Result<LogWriter> log = LogWriter::create(dir, sample_header());
    if (!log) {
        std::cout << log.error().message << "\n";
        return 2;
    }
    std::uint64_t accepted = 0;
    for (; accepted < 1'000'000; ++accepted) {
        const Result<void> written = log.value().append(sample_record(accepted));
        if (!written) {
            std::cout << "after " << accepted << " rows: " << written.error().message << "\n";
            if (written.error().message.find(reason) == std::string::npos) {
                return 3;
            }
            break;
        }
    }
    for (std::uint64_t more = 0; more < 100; ++more) {
        if (log.value().append(sample_record(accepted + more))) {
            return 4;
        }
        if (log.value().append({EventKind::failure, 5, accepted, "still no space"})) {
            break;  // events have space of their own
        }
    }
    const auto path = log.value().path();
    log = LogWriter::create("/proc/no/such/folder", sample_header());  // closes the full file
    const Result<EpochLog> read = read_log(path);
    if (!read) {
        std::cout << read.error().message << "\n";
        return 5;
    }
    const auto& rows = read.value().rows;
    for (std::uint64_t epoch = 0; epoch < rows.size(); ++epoch) {
        if (rows[epoch].epoch != epoch || rows[epoch].wall_s != 2.0) {
            return 6;
        }
    }
    std::cout << "accepted " << accepted << " rows, read " << rows.size() << "\n";
    return rows.size() >= accepted && read.value().totals.total_epochs >= accepted ? 0 : 7;
}

TEST(LogWriterFailure, a_file_size_limit_is_an_error_and_keeps_the_rows) {
    const TempDir dir;

    const int status = in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{200'000, 200'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::exit(fill_up(dir.path(), "File too large"));  // through HDF5's exit handler
        return 1;
    });

    EXPECT_EQ(status, 0);
}

TEST(LogWriterFailure, a_full_disk_is_an_error_and_keeps_the_rows) {
    const TempDir dir;

    const int status = in_child([&] {
        if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
            mount("none", dir.path().c_str(), "tmpfs", 0, "size=200k") != 0) {
            return is_skipped;
        }
        std::exit(fill_up(dir.path(), "No space left on device"));
        return 1;
    });

    if (status == is_skipped) {
        GTEST_SKIP() << "needs the right to mount a tmpfs";
    }
    EXPECT_EQ(status, 0);
}

TEST(LogWriterFailure, goes_on_when_there_is_space_again) {
    const TempDir dir;

    const int status = in_child([&] {
        Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        const rlimit tight{std::filesystem::file_size(log.value().path()) + 10, limit.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tight);
        // The first row that is refused waits, the second is not taken any more.
        if (log.value().append(sample_record(0)) || log.value().append(sample_record(1))) {
            return 1;
        }
        setrlimit(RLIMIT_FSIZE, &limit);
        if (!log.value().append(sample_record(2))) {
            return 2;
        }
        const Result<EpochLog> read = read_log(log.value().path());
        const bool is_complete =
            read && read.value().rows.size() == 2 && read.value().rows[0].epoch == 0 &&
            read.value().rows[1].epoch == 2 && read.value().totals.total_epochs == 2;
        return is_complete && check_log(log.value().path()).value().empty() ? 0 : 3;
    });

    EXPECT_EQ(status, 0);
}

TEST(LogWriterFailure, no_space_at_all_is_an_error_and_leaves_no_file) {
    const TempDir dir;

    const int status = in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100, 100};
        setrlimit(RLIMIT_FSIZE, &limit);
        const Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
        if (!log) {
            std::cout << log.error().message << "\n";
        }
        std::exit(log ? 1 : 0);
        return 1;
    });

    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::is_empty(dir.path() / "4711"));
}

TEST(LogWriterFailure, a_folder_without_permission_is_an_error_with_path_and_reason) {
    const TempDir dir;
    ASSERT_EQ(chmod(dir.path().c_str(), 0555), 0);

    const int status = in_child([&] {
        if (geteuid() == 0 &&
            (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) {
            return is_skipped;
        }
        const Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
        const std::string message = log ? "created" : log.error().message;
        std::cout << message << "\n";
        return message.find("'" + (dir.path() / "4711").string() + "': Permission denied") !=
                       std::string::npos
                   ? 0
                   : 1;
    });

    if (status == is_skipped) {
        GTEST_SKIP() << "cannot become an ordinary user";
    }
    EXPECT_EQ(status, 0);
}

TEST(LogWriterFailure, a_folder_that_cannot_be_made_is_an_error) {
    const Result<LogWriter> log = LogWriter::create("/proc/no/such/folder", sample_header());

    ASSERT_FALSE(log);
    EXPECT_EQ(log.error().kind, ErrorKind::environment);
    EXPECT_THAT(log.error().message, HasSubstr("'/proc/no/such/folder': No such file"));
}

TEST(LogWriterFailure, a_folder_that_is_a_file_is_an_error) {
    const TempDir dir;
    fclose(fopen((dir.path() / "logs").c_str(), "w"));

    const Result<LogWriter> log = LogWriter::create(dir.path() / "logs", sample_header());

    ASSERT_FALSE(log);
    EXPECT_THAT(log.error().message, HasSubstr("Not a directory"));
}

TEST(LogWriterFailure, a_log_that_was_deleted_is_an_error_at_the_next_row) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path() / "logs", sample_header());
    ASSERT_TRUE(log.value().append(sample_record(0)));

    std::filesystem::remove_all(dir.path() / "logs");

    const Result<void> written = log.value().append(sample_record(1));
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("it was deleted"));
}

// 524 is what flock() says on some Lustre mounts; it has no name in errno.h.
TEST(LogWriterFailure, a_file_system_that_refuses_locks_does_no_harm) {
    for (const int refusal : {ENOSYS, ENOLCK, EAGAIN, 524}) {
        const TempDir dir;
        const int status = in_child([&] {
            sock_filter program[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(refusal)),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            };
            const sock_fprog filter{4, program};
            if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
                return is_skipped;
            }
            Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
            if (!log || !log.value().append(sample_record(0))) {
                return 1;
            }
            const Result<EpochLog> read = read_log(log.value().path());
            return read && read.value().rows.size() == 1 ? 0 : 2;
        });
        if (status == is_skipped) {
            GTEST_SKIP() << "this kernel has no seccomp filters";
        }
        EXPECT_EQ(status, 0) << "flock fails with errno " << refusal;
    }
}

}  // namespace
}  // namespace epochcast

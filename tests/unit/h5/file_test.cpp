// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "h5/attribute.hpp"
#include "h5/dataset.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast::h5 {
namespace {

using test::TempDir;
using ::testing::HasSubstr;

struct Point {
    std::uint64_t x;
    double y;
};

Type point_type() {
    const Type u64 = Type::u64(), f64 = Type::f64();
    return Type::compound(sizeof(Point), {{"x", 0, u64}, {"y", 8, f64}});
}

TEST(File, stores_rows_and_attributes_that_a_reader_finds_again) {
    const TempDir dir;
    const auto path = dir.path() / "points.h5";
    {
        Result<File> file = File::create(path);
        ASSERT_TRUE(file) << file.error().message;
        const double scale = 2.5;
        ASSERT_TRUE(write_attribute(file.value(), "scale", Type::f64(), &scale));
        Result<DataSet> points = DataSet::create_growing(file.value(), "points", point_type(), 16);
        ASSERT_TRUE(points) << points.error().message;
        for (std::uint64_t i = 0; i < 100; ++i) {
            const Point point{i, static_cast<double>(i) / 2};
            ASSERT_TRUE(points.value().append(&point));
        }
    }

    Result<File> file = File::open_to_read(path);
    ASSERT_TRUE(file) << file.error().message;
    double scale = 0;
    ASSERT_TRUE(read_attribute(file.value(), "scale", Type::f64(), &scale));
    Result<DataSet> points = DataSet::open(file.value(), "points", point_type(), 1000);
    ASSERT_TRUE(points) << points.error().message;
    std::vector<Point> rows(points.value().rows());
    ASSERT_TRUE(points.value().read(0, rows.size(), rows.data()));
    EXPECT_EQ(scale, 2.5);
    ASSERT_EQ(rows.size(), 100u);
    EXPECT_EQ(rows[99].x, 99u);
    EXPECT_EQ(rows[99].y, 49.5);
}

TEST(File, errors_name_the_path_and_the_reason_and_nothing_is_printed) {
    const TempDir dir;
    ::testing::internal::CaptureStderr();
    const Result<File> missing = File::open_to_read(dir.path() / "none.h5");
    const Result<File> folder = File::create(dir.path() / "no" / "such" / "folder.h5");
    const std::string printed = ::testing::internal::GetCapturedStderr();

    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::environment);
    EXPECT_THAT(missing.error().message, HasSubstr("none.h5': No such file or directory"));
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().message, HasSubstr("folder.h5': No such file or directory"));
    EXPECT_EQ(printed, "");
}

TEST(File, refuses_what_is_no_hdf5_without_waiting) {
    const TempDir dir;
    const auto refusal = [&](const char* name) {
        const Result<File> file = File::open_to_read(dir.path() / name);
        return file ? std::string("opened") : file.error().message;
    };
    std::ofstream(dir.path() / "empty.h5");
    std::ofstream(dir.path() / "short.h5") << "\x89HDF";
    std::ofstream(dir.path() / "page.h5") << "<html>404</html>";
    std::ofstream(dir.path() / "only-signature.h5") << "\x89HDF\r\n\x1a\n and nothing that follows";
    std::filesystem::create_directory(dir.path() / "folder.h5");
    ASSERT_EQ(mkfifo((dir.path() / "pipe.h5").c_str(), 0600), 0);

    EXPECT_THAT(refusal("empty.h5"), HasSubstr("is empty"));
    EXPECT_THAT(refusal("short.h5"), HasSubstr("is not an HDF5 file"));
    EXPECT_THAT(refusal("page.h5"), HasSubstr("is not an HDF5 file"));
    EXPECT_THAT(refusal("only-signature.h5"), HasSubstr("cannot be read as HDF5"));
    EXPECT_THAT(refusal("folder.h5"), HasSubstr("is not a plain file"));
    EXPECT_THAT(refusal("pipe.h5"), HasSubstr("is not a plain file"));
}

TEST(File, shows_control_characters_of_a_path_escaped) {
    const Result<File> file = File::open_to_read("evil\n\x1b[31m.h5");

    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().message, HasSubstr("'evil\\x0a\\x1b[31m.h5'"));
}

TEST(File, tells_when_it_was_deleted_while_it_was_written) {
    const TempDir dir;
    Result<File> file = File::create(dir.path() / "x.h5");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file.value().check_written());

    std::filesystem::remove(dir.path() / "x.h5");

    const Result<void> checked = file.value().check_written();
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("it was deleted"));
}

// The child leaves by exit(), so HDF5's exit handler runs in it and flushes all that was open.
TEST(File, is_not_harmed_by_a_forked_child_that_exits) {
    const TempDir dir;
    const auto path = dir.path() / "rows.h5";
    const auto content = [&] {
        std::ifstream in(path);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    {
        Result<File> file = File::create(path);
        Result<DataSet> rows = DataSet::create_growing(file.value(), "rows", Type::u64(), 4);
        ASSERT_TRUE(rows);
        ASSERT_TRUE(file.value().start_swmr());
        for (std::uint64_t row = 0; row < 100; ++row) {
            ASSERT_TRUE(rows.value().append(&row));
            if (row == 50) {
                const std::string before = content();
                ::testing::internal::CaptureStderr();
                EXPECT_EQ(test::in_child([]() -> int { std::exit(0); }), 0);
                EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
                EXPECT_TRUE(content() == before) << "the child changed the file";
            }
            ASSERT_TRUE(rows.value().flush());
        }
    }

    const Result<File> file = File::open_to_read(path);
    ASSERT_TRUE(file) << file.error().message;
    Result<DataSet> rows = DataSet::open(file.value(), "rows", Type::u64(), 1000);
    ASSERT_TRUE(rows) << rows.error().message;
    std::vector<std::uint64_t> values(rows.value().rows());
    ASSERT_TRUE(rows.value().read(0, values.size(), values.data()));
    ASSERT_EQ(values.size(), 100u);
    EXPECT_EQ(values[99], 99u);
}

// One thread writes all the time; a child forked meanwhile must still be able to end.
TEST(File, a_child_forked_while_another_thread_writes_can_exit) {
    if (test::has_address_sanitizer) {
        GTEST_SKIP() << "the leak checker takes the other thread's memory for leaked in the child";
    }
    const TempDir dir;
    std::atomic<bool> is_done = false;
    std::thread writer([&] {
        Result<File> file = File::create(dir.path() / "rows.h5");
        Result<DataSet> rows = DataSet::create_growing(file.value(), "rows", Type::u64(), 4);
        for (std::uint64_t row = 0; !is_done; ++row) {
            ASSERT_TRUE(rows.value().append(&row));
            ASSERT_TRUE(rows.value().flush());
        }
    });
    for (int child = 0; child < 50; ++child) {
        EXPECT_EQ(test::in_child([]() -> int {
                      alarm(5);  // ends a child that hangs
                      std::exit(0);
                  }),
                  0);
    }
    is_done = true;
    writer.join();
}

}  // namespace
}  // namespace epochcast::h5

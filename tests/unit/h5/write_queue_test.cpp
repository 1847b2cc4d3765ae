// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/write_queue.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "unit/epoch_log/support.hpp"

namespace epochcast::h5 {
namespace {

using test::in_child;
using test::TempDir;

std::string content(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string read(const WriteQueue& queue, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '?');
    return queue.read(offset, bytes) ? bytes : "error";
}

class LimitFileSize {
  public:
    explicit LimitFileSize(std::uint64_t bytes) { set(bytes); }
    ~LimitFileSize() { set(RLIM_INFINITY); }
    LimitFileSize(const LimitFileSize&) = delete;
    LimitFileSize& operator=(const LimitFileSize&) = delete;

  private:
    static void set(std::uint64_t bytes) {
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
};

TEST(WriteQueue, keeps_in_order_what_the_disk_refuses_until_it_is_taken) {
    const TempDir dir;
    const auto path = dir.path() / "file";
    WriteQueue queue;
    ASSERT_EQ(queue.open(path, O_CREAT), 0);
    queue.write(0, std::string("abcdef"));
    {
        const LimitFileSize full(8);
        queue.write(6, std::string("ghijkl"));  // does not fit
        queue.write(0, std::string("XY"));      // would, but must not overtake
        EXPECT_FALSE(queue.drain());
        EXPECT_EQ(queue.error(), EFBIG);
        EXPECT_EQ(content(path), "abcdef");
        EXPECT_EQ(read(queue, 0, 14), std::string("XYcdefghijkl\0\0", 14));
        EXPECT_EQ(queue.size_bytes(), 12u);
    }

    EXPECT_TRUE(queue.drain());
    EXPECT_EQ(queue.error(), 0);
    EXPECT_EQ(content(path), "XYcdefghijkl");
}

TEST(WriteQueue, resizes_in_order_too) {
    const TempDir dir;
    const auto path = dir.path() / "file";
    WriteQueue queue;
    ASSERT_EQ(queue.open(path, O_CREAT), 0);
    queue.write(0, std::string("abcdef"));
    {
        const LimitFileSize full(8);
        queue.resize(10);
        queue.write(9, std::string("z"));
        EXPECT_EQ(queue.size_bytes(), 10u);
        EXPECT_EQ(content(path), "abcdef");
    }
    queue.resize(3);

    EXPECT_EQ(content(path), "abc");
}

TEST(WriteQueue, what_the_disk_never_takes_is_known_after_close) {
    const TempDir dir;
    WriteQueue queue;
    ASSERT_EQ(queue.open(dir.path() / "file", O_CREAT), 0);
    const LimitFileSize full(2);
    queue.write(0, std::string("abcdef"));

    queue.close();

    EXPECT_EQ(queue.error(), EFBIG);
    EXPECT_EQ(content(dir.path() / "file"), "");
}

TEST(WriteQueue, a_forked_child_writes_to_nowhere) {
    const TempDir dir;
    const auto path = dir.path() / "file";
    WriteQueue queue;
    ASSERT_EQ(queue.open(path, O_CREAT), 0);
    queue.write(0, std::string("parent"));

    EXPECT_EQ(in_child([&] {
                  queue.write(0, std::string("child"));
                  queue.resize(0);
                  const bool is_quiet = queue.drain();
                  queue.close();
                  return is_quiet && queue.error() == 0 ? 0 : 1;
              }),
              0);

    EXPECT_EQ(content(path), "parent");
}

TEST(WriteQueue, names_the_reason_when_it_cannot_open) {
    const TempDir dir;
    WriteQueue queue;
    EXPECT_EQ(queue.open(dir.path() / "none", 0), ENOENT);
    EXPECT_EQ(queue.open(dir.path(), 0), EISDIR);
}

}  // namespace
}  // namespace epochcast::h5

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/idx_file.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/idx.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t all = ~0ULL;

class IdxFile : public testing::Test {
  protected:
    Result<IdxData> read(const std::string& content, std::uint64_t limit = all) {
        write_in_place(path_, content);
        return read_idx(path_, limit);
    }
    std::string refusal(const std::string& content, std::uint64_t limit = all) {
        const auto data = read(content, limit);
        if (data.ok()) {
            return "accepted";
        }
        EXPECT_EQ(data.error().kind, ErrorKind::bad_input);
        EXPECT_THAT(data.error().message, HasSubstr(path_.string()));
        return data.error().message;
    }
    TemporaryDir folder_;
    std::filesystem::path path_ = folder_.path() / "images";
};

TEST_F(IdxFile, reads_items_of_bytes) {
    const auto data = read(idx({3, 2, 2}, "abcdefghijkl"));
    ASSERT_TRUE(data.ok()) << data.error().message;
    EXPECT_THAT(data.value().dimensions, ElementsAre(3U, 2U, 2U));
    EXPECT_EQ(data.value().items_read, 3U);
    EXPECT_EQ(data.value().item_bytes(), 4U);
    EXPECT_EQ(std::string(data.value().bytes.begin(), data.value().bytes.end()), "abcdefghijkl");
}

TEST_F(IdxFile, reads_gzip_just_the_same) {
    write_gzip(path_, idx({3, 2, 2}, "abcdefghijkl"));
    const auto data = read_idx(path_, all);
    ASSERT_TRUE(data.ok()) << data.error().message;
    EXPECT_EQ(data.value().bytes.size(), 12U);
}

TEST_F(IdxFile, reads_only_as_many_items_as_wanted) {
    const auto data = read(idx({3, 2, 2}, "abcdefgh"), 2);  // the third item is not looked at
    ASSERT_TRUE(data.ok()) << data.error().message;
    EXPECT_EQ(data.value().items_read, 2U);
    EXPECT_EQ(data.value().dimensions[0], 3U);
    EXPECT_EQ(data.value().bytes.size(), 8U);
}

TEST_F(IdxFile, refuses_what_is_no_idx_file) {
    EXPECT_THAT(refusal(""), HasSubstr("too short"));
    EXPECT_THAT(refusal("\0\0\x08"), HasSubstr("too short"));
    EXPECT_THAT(refusal("P5 28 28 255\nxxxxxxxxxxxxx"), HasSubstr("not an IDX file"));
    EXPECT_THAT(refusal(std::string("\0\0\x08\0", 4)), HasSubstr("1 to 4 dimensions"));
    EXPECT_THAT(refusal(std::string("\0\0\x08\x09", 4)), HasSubstr("1 to 4 dimensions"));
    EXPECT_THAT(refusal(std::string("\0\0\x0d\x01\0\0\0\x01", 8) + "abcd"), HasSubstr("type 13"));
    EXPECT_THAT(refusal(std::string("\0\0\x08\x03\0\0\0\x01", 8)), HasSubstr("too short"));
}

TEST_F(IdxFile, refuses_sizes_that_cannot_be_before_it_takes_memory) {
    EXPECT_THAT(refusal(idx({0, 2, 2}, "")), HasSubstr("size 0"));
    EXPECT_THAT(refusal(idx({2, 2, 0}, "")), HasSubstr("size 0"));
    EXPECT_THAT(refusal(idx({4294967295, 4294967295, 4294967295, 4294967295}, "x")),
                HasSubstr("8 GiB"));
    EXPECT_THAT(refusal(idx({1, 65536, 65536, 65536}, "x")), HasSubstr("8 GiB"));
    EXPECT_THAT(refusal(idx({4294967295}, "x")), HasSubstr("truncated"));
}

TEST_F(IdxFile, names_a_truncated_file) {
    EXPECT_THAT(refusal(idx({3, 2, 2}, "abcdefghijk")),
                AllOf(HasSubstr("truncated"), HasSubstr("12 bytes"), HasSubstr("11 found")));
}

TEST_F(IdxFile, names_damaged_gzip_at_every_cut) {
    write_gzip(path_, idx({50, 8, 8}, std::string(3194, 'q') + "unlike"));
    const std::string whole = text_of(path_);
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
        EXPECT_NE(refusal(whole.substr(0, cut)), "accepted") << cut;
    }
    for (std::size_t at = 10; at < whole.size(); ++at) {  // behind the header, which may vary
        std::string flipped = whole;
        flipped[at] = static_cast<char>(~flipped[at]);
        EXPECT_NE(refusal(flipped), "accepted") << at;
    }
}

TEST_F(IdxFile, refuses_more_bytes_than_declared) {
    EXPECT_THAT(refusal(idx({3, 2, 2}, "abcdefghijklm")), HasSubstr("more bytes"));
    EXPECT_TRUE(read(idx({3, 2, 2}, "abcdefghijklm"), 2).ok()) << "the end is not looked at";
}

TEST_F(IdxFile, refuses_folders_pipes_and_what_is_not_there) {
    EXPECT_EQ(read_idx(folder_.path(), all).error().kind, ErrorKind::bad_input);
    EXPECT_EQ(read_idx(path_, all).error().kind, ErrorKind::environment);
    ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
    EXPECT_EQ(read_idx(path_, all).error().kind, ErrorKind::bad_input);
}

}  // namespace
}  // namespace epochcast::runtime

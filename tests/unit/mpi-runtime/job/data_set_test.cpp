// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/data_set.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/idx.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t all = ~0ULL;

class DataSetFolder : public testing::Test {
  protected:
    void put(const std::string& name, const std::string& content) {
        write_in_place(folder_.path() / name, content);
    }
    void put_train(std::uint32_t samples = 4) {
        put("train-images-idx3-ubyte", idx({samples, 2, 2}, std::string(samples * 4UL, '\7')));
        std::string labels(samples, '\0');
        labels.back() = 2;
        put("train-labels-idx1-ubyte", idx({samples}, labels));
    }
    std::string refusal(std::optional<std::uint64_t> samples = std::nullopt,
                        ErrorKind kind = ErrorKind::bad_input) {
        const auto data = read_data_set(folder_.path(), samples, all);
        if (data.ok()) {
            return "accepted";
        }
        EXPECT_EQ(data.error().kind, kind) << data.error().message;
        return data.error().message;
    }
    TemporaryDir folder_;
};

TEST_F(DataSetFolder, reads_images_labels_and_counts_classes) {
    put_train();
    const auto data = read_data_set(folder_.path() / "", 3, all);
    ASSERT_TRUE(data.ok()) << data.error().message;
    EXPECT_EQ(data.value().name, folder_.path().filename());
    EXPECT_EQ(data.value().height, 2U);
    EXPECT_EQ(data.value().classes, 3U) << "of all labels, not only of the 3 samples";
    EXPECT_EQ(data.value().train.labels.size(), 3U);
    EXPECT_EQ(data.value().train.images.size(), 12U);
    EXPECT_TRUE(data.value().test.labels.empty());
}

TEST_F(DataSetFolder, prefers_plain_files_and_takes_compressed_ones) {
    put_train();
    write_gzip(folder_.path() / "t10k-images-idx3-ubyte.gz", idx({2, 2, 2}, "abcdefgh"));
    write_gzip(folder_.path() / "t10k-labels-idx1-ubyte.gz", idx({2}, std::string("\0\1", 2)));
    const auto data = read_data_set(folder_.path(), std::nullopt, 1);
    ASSERT_TRUE(data.ok()) << data.error().message;
    EXPECT_EQ(data.value().test.labels.size(), 1U);
    EXPECT_TRUE(read_data_set(folder_.path(), std::nullopt, 0).value().test.labels.empty());
}

TEST_F(DataSetFolder, images_may_have_channels) {
    put("train-images-idx3-ubyte", idx({2, 3, 2, 1}, std::string(12, 'x')));
    put("train-labels-idx1-ubyte", idx({2}, std::string("\0\1", 2)));
    const auto data = read_data_set(folder_.path(), std::nullopt, all);
    ASSERT_TRUE(data.ok()) << data.error().message;
    EXPECT_EQ(data.value().channels, 3U);
    EXPECT_EQ(data.value().height, 2U);
    EXPECT_EQ(data.value().width, 1U);
}

TEST_F(DataSetFolder, says_what_is_missing_and_which_package_has_it) {
    EXPECT_THAT(refusal(std::nullopt, ErrorKind::environment),
                HasSubstr("train-labels-idx1-ubyte.gz"));
    const auto none = read_data_set(folder_.path() / "none", std::nullopt, all);
    EXPECT_EQ(none.error().kind, ErrorKind::environment);
    EXPECT_THAT(none.error().message,
                AllOf(HasSubstr("none"), HasSubstr("apt-get install dataset-fashion-mnist")));
}

TEST_F(DataSetFolder, refuses_parts_that_do_not_fit) {
    put_train(4);
    EXPECT_THAT(refusal(5), AllOf(HasSubstr("samples = 5"), HasSubstr("only 4")));
    put("train-labels-idx1-ubyte", idx({3}, "abc"));
    EXPECT_THAT(refusal(), HasSubstr("one label for each of the 4 images"));
    put("train-labels-idx1-ubyte", idx({4}, std::string(4, '\0')));
    EXPECT_THAT(refusal(), HasSubstr("all labels are 0"));
    put("train-images-idx3-ubyte", idx({4, 2}, "abcdefgh"));
    EXPECT_THAT(refusal(), HasSubstr("no images"));
    put("train-images-idx3-ubyte", idx({4, 1, 5000}, std::string(20'000, 'x')));
    EXPECT_THAT(refusal(), HasSubstr("4096 x 4096"));
}

TEST_F(DataSetFolder, refuses_a_test_part_of_another_kind) {
    put_train();
    put("t10k-images-idx3-ubyte", idx({1, 3, 3}, std::string(9, 'x')));
    put("t10k-labels-idx1-ubyte", idx({1}, std::string(1, '\0')));
    EXPECT_THAT(refusal(), HasSubstr("another size"));
    put("t10k-images-idx3-ubyte", idx({1, 2, 2}, "abcd"));
    put("t10k-labels-idx1-ubyte", idx({1}, std::string(1, '\11')));
    EXPECT_THAT(refusal(), HasSubstr("more classes"));
}

}  // namespace
}  // namespace epochcast::runtime

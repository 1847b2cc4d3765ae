// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/dataset.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

#include "h5/attribute.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast::h5 {
namespace {

using test::TempDir;
using ::testing::HasSubstr;

class StoredNumbers : public ::testing::Test {
  protected:
    void SetUp() override {
        Result<File> file = File::create(path_);
        ASSERT_TRUE(file) << file.error().message;
        Result<DataSet> numbers = DataSet::create_fixed(file.value(), "numbers", Type::u64(), 10);
        ASSERT_TRUE(numbers) << numbers.error().message;
        std::vector<std::uint64_t> values(10);
        std::iota(values.begin(), values.end(), 100);
        ASSERT_TRUE(numbers.value().write(0, values.size(), values.data()));
        const std::uint64_t answer = 42;
        ASSERT_TRUE(write_attribute(file.value(), "answer", Type::u64(), &answer));
    }
    std::string refusal(const char* name, const Type& type, std::uint64_t max_rows = 1000) {
        const Result<File> file = File::open_to_read(path_);
        const Result<DataSet> opened = DataSet::open(file.value(), name, type, max_rows);
        return opened ? "opened" : opened.error().message;
    }
    const TempDir dir_;
    const std::filesystem::path path_ = dir_.path() / "numbers.h5";
};

TEST_F(StoredNumbers, can_be_read_in_pieces) {
    const Result<File> file = File::open_to_read(path_);
    Result<DataSet> numbers = DataSet::open(file.value(), "numbers", Type::u64(), 10);
    ASSERT_TRUE(numbers) << numbers.error().message;
    std::vector<std::uint64_t> piece(3);

    ASSERT_TRUE(numbers.value().read(7, 3, piece.data()));

    EXPECT_EQ(piece, (std::vector<std::uint64_t>{107, 108, 109}));
}

TEST_F(StoredNumbers, reading_beyond_the_end_is_an_error) {
    const Result<File> file = File::open_to_read(path_);
    Result<DataSet> numbers = DataSet::open(file.value(), "numbers", Type::u64(), 10);
    std::vector<std::uint64_t> piece(3);

    EXPECT_FALSE(numbers.value().read(8, 3, piece.data()));
}

TEST_F(StoredNumbers, are_refused_under_another_type_or_name_or_beyond_the_limit) {
    EXPECT_EQ(refusal("numbers", Type::u64()), "opened");
    EXPECT_THAT(refusal("numbers", Type::f64()), HasSubstr("another type"));
    EXPECT_THAT(refusal("numbers", Type::text(7)), HasSubstr("another type"));
    EXPECT_THAT(refusal("letters", Type::u64()), HasSubstr("data set '/letters'"));
    EXPECT_THAT(refusal("letters", Type::u64()), HasSubstr("is missing"));
    EXPECT_THAT(refusal("numbers", Type::u64(), 9), HasSubstr("claims 10 rows"));
}

TEST_F(StoredNumbers, attributes_are_refused_under_another_type_or_name) {
    const Result<File> file = File::open_to_read(path_);
    std::uint64_t answer = 0;
    double real = 0;

    EXPECT_TRUE(read_attribute(file.value(), "answer", Type::u64(), &answer));
    EXPECT_EQ(answer, 42u);
    EXPECT_FALSE(read_attribute(file.value(), "answer", Type::f64(), &real));
    const Result<void> missing = read_attribute(file.value(), "question", Type::u64(), &answer);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("attribute 'question' of "));
}

TEST(DataSet, of_no_rows_can_be_stored_and_read) {
    const TempDir dir;
    {
        Result<File> file = File::create(dir.path() / "none.h5");
        Result<DataSet> none = DataSet::create_fixed(file.value(), "none", Type::u64(), 0);
        ASSERT_TRUE(none) << none.error().message;
        EXPECT_TRUE(none.value().write(0, 0, nullptr));
    }
    const Result<File> file = File::open_to_read(dir.path() / "none.h5");

    const Result<DataSet> none = DataSet::open(file.value(), "none", Type::u64(), 10);

    ASSERT_TRUE(none) << none.error().message;
    EXPECT_EQ(none.value().rows(), 0u);
}

}  // namespace
}  // namespace epochcast::h5

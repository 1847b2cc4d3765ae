// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/natural_log.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace epochcast {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(NaturalLog, is_the_librarys_within_a_unit_in_the_last_place) {
    EXPECT_EQ(natural_log(1), 0);
    EXPECT_DOUBLE_EQ(natural_log(2), 0.693147180559945309);
    Random random(1);
    for (int i = 0; i < 100000; ++i) {
        const double value = std::exp(1400 * (random.uniform() - 0.5));
        const double wanted = std::log(value);
        ASSERT_NEAR(natural_log(value), wanted, 2e-16 * std::abs(wanted)) << value;
    }
    for (const double value : {5e-324, 1e-310, 0x1p-1022, 1 - 0x1p-53, 1 + 0x1p-52, 1.7e308}) {
        EXPECT_DOUBLE_EQ(natural_log(value), std::log(value)) << value;
    }
}

TEST(NaturalLog, never_falls_from_a_number_to_the_next) {
    Random random(2);
    for (int i = 0; i < 100000; ++i) {
        const double value = std::exp(60 * (random.uniform() - 0.5));
        ASSERT_LE(natural_log(value), natural_log(std::nextafter(value, infinity))) << value;
    }
}

// Whatever vectors the processor has.
TEST(NaturalLog, of_many_values_has_the_bits_of_each_alone) {
    Random random(3);
    for (const std::size_t count : {0, 1, 7, 64, 101}) {
        std::vector<double> values;
        std::vector<double> sums(count, 0.25);
        for (std::size_t i = 0; i < count; ++i) values.push_back(1e4 * random.uniform());
        add_weighted_logs(-0.3, values, sums);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(sums[i], 0.25 + -0.3 * natural_log(values[i]));
        }
    }
    std::vector<double> sums(5);
    add_weighted_logs(1, std::vector<double>{0, -1, infinity, NAN, 1}, sums);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(std::isnan(sums[i])) << i;
    EXPECT_EQ(sums[4], 0);
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/checksum.hpp"

#include <gtest/gtest.h>
#include <string_view>
#include <vector>

namespace epochcast {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The check value that every catalogue of CRCs gives for CRC-64/XZ.
TEST(Checksum, is_crc64_xz) { EXPECT_EQ(crc64(bytes_of("123456789")), 0x995DC9BBDF1939FAu); }

TEST(Checksum, of_nothing_is_zero) { EXPECT_EQ(crc64({}), 0u); }

TEST(Checksum, does_not_depend_on_how_the_bytes_are_cut) {
    const auto whole = bytes_of("the quick brown fox jumps over the lazy dog");
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        EXPECT_EQ(crc64(whole.subspan(cut), crc64(whole.first(cut))), crc64(whole)) << cut;
    }
}

TEST(Checksum, sees_zeros_at_the_end_and_swapped_blocks) {
    std::vector<std::uint8_t> bytes(64, 0);
    std::vector<std::uint8_t> longer(72, 0);
    EXPECT_NE(crc64(bytes), crc64(longer));
    bytes[3] = 1;
    std::vector<std::uint8_t> swapped(64, 0);
    swapped[11] = 1;
    EXPECT_NE(crc64(bytes), crc64(swapped));
}

}  // namespace
}  // namespace epochcast

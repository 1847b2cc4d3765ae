// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// CRC-64/XZ (reflected ECMA-182): finds every error of up to 64 bits in a row, and any other damage
// but for one chance in 2^64. It protects against accidents, not against forgers.

#include <cstdint>
#include <span>

namespace epochcast {

// The checksum of the bytes that went into `previous` followed by these; start with 0.
std::uint64_t crc64(std::span<const std::uint8_t> bytes, std::uint64_t previous = 0);

}  // namespace epochcast

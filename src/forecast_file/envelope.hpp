// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What surrounds the payload of a forecast file, so that a file which is cut, overwritten half way
// or something else altogether is known before anything in it is believed. 32 bytes, little endian:
//
//   offset  bytes  meaning
//        0      8  magic
//        8      4  layout version
//       12      4  bytes of this header: 32
//       16      8  bytes of the payload, which follows at once and ends the file
//       24      8  CRC-64/XZ of bytes 0 to 23 and the payload

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

inline constexpr std::size_t envelope_header_bytes = 32;
inline constexpr std::uint32_t forecast_layout_version = 1;

// The file's bytes: header, then payload.
std::vector<std::uint8_t> seal_envelope(std::span<const std::uint8_t> payload);

// The payload in these bytes, as a view into them, once all of the header is right. Errors are
// bad_input: "empty", "not a forecast file", "truncated: ...", "layout version ...", "checksum
// ...".
Result<std::span<const std::uint8_t>> open_envelope(std::span<const std::uint8_t> bytes);

}  // namespace epochcast

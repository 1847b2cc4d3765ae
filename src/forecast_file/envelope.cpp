// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/envelope.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "forecast_file/checksum.hpp"
#include "forecast_file/forecast_file.hpp"

namespace epochcast {

namespace {

using Bytes = std::span<const std::uint8_t>;

// The first byte is not ASCII and the last is a newline, so a text file is not taken for ours and a
// transfer that rewrites line ends is seen.
constexpr std::array<std::uint8_t, 8> magic{0x93, 'E', 'P', 'C', 'A', 'S', 'T', '\n'};

constexpr std::size_t version_at = 8;
constexpr std::size_t header_size_at = 12;
constexpr std::size_t payload_size_at = 16;
constexpr std::size_t checksum_at = 24;

void append_little_endian(std::vector<std::uint8_t>& bytes, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

std::uint64_t little_endian(Bytes bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
    return value;
}

Error bad(std::string message) { return Error{ErrorKind::bad_input, std::move(message)}; }

Error truncated(std::size_t have, const std::string& want) {
    return bad("truncated: " + std::to_string(have) + " of " + want + " bytes");
}

}  // namespace

std::vector<std::uint8_t> seal_envelope(Bytes payload) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(envelope_header_bytes + payload.size());
    bytes.assign(magic.begin(), magic.end());
    append_little_endian(bytes, forecast_layout_version, 4);
    append_little_endian(bytes, envelope_header_bytes, 4);
    append_little_endian(bytes, payload.size(), 8);
    append_little_endian(bytes, crc64(payload, crc64(bytes)), 8);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    return bytes;
}

Result<Bytes> open_envelope(Bytes bytes) {
    if (bytes.empty()) return bad("empty");
    const std::size_t shown = std::min(bytes.size(), magic.size());
    if (!std::equal(
            magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(shown), bytes.begin()))
        return bad("not a forecast file");
    if (bytes.size() < envelope_header_bytes) {
        return truncated(bytes.size(), "at least " + std::to_string(envelope_header_bytes));
    }
    const std::uint64_t version = little_endian(bytes, version_at, 4);
    if (version != forecast_layout_version) {
        return bad("layout version " + std::to_string(version) + "; this program reads version " +
                   std::to_string(forecast_layout_version));
    }
    const std::uint64_t header_size = little_endian(bytes, header_size_at, 4);
    const std::uint64_t payload_size = little_endian(bytes, payload_size_at, 8);
    if (header_size != envelope_header_bytes || payload_size > max_forecast_file_bytes) {
        return bad("malformed header");
    }
    const Bytes payload = bytes.subspan(envelope_header_bytes);
    if (payload.size() < payload_size) {
        return truncated(bytes.size(), std::to_string(header_size + payload_size));
    }
    if (payload.size() > payload_size) {
        return bad("malformed: " + std::to_string(payload.size() - payload_size) +
                   " bytes after the end");
    }
    if (crc64(payload, crc64(bytes.first(checksum_at))) != little_endian(bytes, checksum_at, 8)) {
        return bad("checksum does not match: damaged, or read while it was overwritten");
    }
    return payload;
}

}  // namespace epochcast

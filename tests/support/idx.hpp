// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// IDX files made for tests.

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace epochcast {

// An IDX file of unsigned bytes: magic, dimensions, and these bytes, however many they are.
inline std::string idx(const std::vector<std::uint32_t>& dimensions, const std::string& bytes) {
    std::string file("\0\0\x08", 3);
    file += static_cast<char>(dimensions.size());
    for (const std::uint32_t size : dimensions) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            file += static_cast<char>(size >> shift & 0xFF);
        }
    }
    return file + bytes;
}

inline void write_gzip(const std::filesystem::path& path, const std::string& content) {
    const gzFile file = gzopen(path.c_str(), "wb");
    const int written = gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    if (gzclose(file) != Z_OK || written != static_cast<int>(content.size())) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

}  // namespace epochcast

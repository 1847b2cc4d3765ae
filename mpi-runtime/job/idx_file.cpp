// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/idx_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

namespace epochcast::runtime {

namespace {

constexpr std::uint8_t unsigned_byte_type = 0x08;
constexpr std::uint64_t max_bytes = 8ULL << 30;  // of what is read; larger sets do not fit a board
constexpr std::uint64_t chunk_bytes = 1 << 20;   // memory grows with what is really there

struct CloseGzip {
    void operator()(gzFile_s* file) const { gzclose(file); }
};
using GzipFile = std::unique_ptr<gzFile_s, CloseGzip>;

Error unusable(const std::filesystem::path& path, const std::string& reason) {
    return {ErrorKind::bad_input, path.string() + ": " + reason};
}

Result<GzipFile> open_file(const std::filesystem::path& path) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status)) {
        return Error{ErrorKind::environment, path.string() + ": no such file"};
    }
    if (!std::filesystem::is_regular_file(status)) {
        return unusable(path, "is not a regular file");
    }
    errno = 0;
    GzipFile file(gzopen(path.c_str(), "rb"));
    if (!file) {
        return Error{ErrorKind::environment,
                     path.string() + ": cannot be opened: " + std::strerror(errno)};
    }
    return file;
}

// Fewer bytes than asked for at the end of the file or where the compressed data is damaged.
std::uint64_t read_some(gzFile_s* file, std::uint8_t* to, std::uint64_t bytes) {
    const int got = gzread(file, to, static_cast<unsigned>(bytes));
    return got < 0 ? 0 : static_cast<std::uint64_t>(got);
}

std::string why_short(gzFile_s* file, std::uint64_t wanted, std::uint64_t got) {
    int code = 0;
    const char* text = gzerror(file, &code);
    if (code != Z_OK && code != Z_BUF_ERROR) {
        return std::string("cannot be read: ") + (code == Z_ERRNO ? std::strerror(errno) : text);
    }
    return "is truncated: " + std::to_string(wanted) + " bytes of items expected, " +
           std::to_string(got) + " found";
}

// After the last item: a compressed file's checksum is looked at only at its end.
Result<void> check_end(const std::filesystem::path& path, gzFile_s* file) {
    std::uint8_t more = 0;
    if (read_some(file, &more, 1) != 0) {
        return unusable(path, "holds more bytes than its header declares");
    }
    int code = 0;
    const char* text = gzerror(file, &code);
    if (code != Z_OK) {
        return unusable(path, std::string("is damaged: ") + text);
    }
    return {};
}

Result<std::vector<std::uint32_t>> read_dimensions(const std::filesystem::path& path,
                                                   gzFile_s* file) {
    std::array<std::uint8_t, 4> head{};
    if (read_some(file, head.data(), head.size()) != head.size()) {
        return unusable(path, "is too short for an IDX file");
    }
    if (head[0] != 0 || head[1] != 0 || head[3] < 1 || head[3] > 4) {
        return unusable(path, "is not an IDX file with 1 to 4 dimensions");
    }
    if (head[2] != unsigned_byte_type) {
        return unusable(path,
                        "holds elements of IDX type " + std::to_string(head[2]) +
                            "; only 8 (unsigned byte) is supported");
    }
    std::vector<std::uint32_t> dimensions;
    for (int d = 0; d < head[3]; ++d) {
        std::array<std::uint8_t, 4> b{};
        if (read_some(file, b.data(), b.size()) != b.size()) {
            return unusable(path, "is too short for an IDX file");
        }
        dimensions.push_back(std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 |
                             std::uint32_t{b[2]} << 8 | std::uint32_t{b[3]});
        if (dimensions.back() == 0) {
            return unusable(path, "has a dimension of size 0");
        }
    }
    return dimensions;
}

// Product of the item's dimensions, or max_bytes + 1 if it is larger than that.
std::uint64_t bounded_item_bytes(const std::vector<std::uint32_t>& dimensions) {
    std::uint64_t bytes = 1;
    for (std::size_t d = 1; d < dimensions.size(); ++d) {
        bytes = std::min(bytes * dimensions[d], max_bytes + 1);
    }
    return bytes;
}

}  // namespace

std::uint64_t IdxData::item_bytes() const { return bounded_item_bytes(dimensions); }

Result<IdxData> read_idx(const std::filesystem::path& path, std::uint64_t limit) {
    auto file = open_file(path);
    if (!file.ok()) {
        return file.error();
    }
    gzFile_s* const in = file.value().get();
    auto dimensions = read_dimensions(path, in);
    if (!dimensions.ok()) {
        return dimensions.error();
    }
    IdxData data;
    data.dimensions = std::move(dimensions).value();
    data.items_read = std::min<std::uint64_t>(limit, data.dimensions[0]);
    if (data.item_bytes() > max_bytes || data.items_read > max_bytes / data.item_bytes()) {
        return unusable(path, "declares more than 8 GiB of items");
    }
    const std::uint64_t wanted = data.items_read * data.item_bytes();
    while (data.bytes.size() < wanted) {
        const auto at = data.bytes.size();
        const auto ask = std::min(wanted - at, chunk_bytes);
        data.bytes.resize(at + ask);
        const auto got = read_some(in, data.bytes.data() + at, ask);
        if (got < ask) {
            return unusable(path, why_short(in, wanted, at + got));
        }
    }
    if (data.items_read == data.dimensions[0]) {
        if (auto checked = check_end(path, in); !checked.ok()) {
            return checked.error();
        }
    }
    return data;
}

}  // namespace epochcast::runtime

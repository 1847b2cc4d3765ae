// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Reads IDX files of unsigned bytes (the MNIST format), plain or gzip-compressed. The content is
// not trusted: sizes are checked before memory is taken.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/result.hpp"

namespace epochcast::runtime {

struct IdxData {
    std::vector<std::uint32_t> dimensions;  // the first one counts items; 1 to 4 dimensions, none 0
    std::vector<std::uint8_t> bytes;        // of the items that were read
    std::uint64_t items_read = 0;
    std::uint64_t item_bytes() const;
};

// Reads the first `limit` items, or all if there are fewer. Errors: environment (cannot be opened),
// bad_input (no IDX file, another element type, absurd or zero size, truncated, damaged gzip).
Result<IdxData> read_idx(const std::filesystem::path& path, std::uint64_t limit);

}  // namespace epochcast::runtime

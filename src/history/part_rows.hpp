// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The rows of a segment's /parts: one LogPart each, its columns made from the fields of the epoch
// log's header so that both stay the same.

#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "h5/type.hpp"
#include "history/segment.hpp"

namespace epochcast {

h5::Type part_type();
std::size_t part_bytes();

std::vector<char> encode_parts(std::span<const LogPart> parts);

// Errors: bad_input, if a text or number cannot stand in a log's header.
Result<std::vector<LogPart>> decode_parts(std::span<const char> rows);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Which texts an epoch log may hold. The same rules refuse a header before it is written and a
// hostile file that is read.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace epochcast {

// How the text of a header field is treated.
enum class TextRule {
    name,       // part of a file name: 1 or more of A-Z a-z 0-9 . _ + @ -, not beginning with a dot
    task_name,  // as parse_task_name()
    needed,     // plain text, not empty
    plain,      // plain text: valid UTF-8 without control characters; may be empty
    free,       // for people: written cut to what fits, with other bytes replaced by '?'
};

// Why `text` may not stand in a field of at most max_bytes: "is longer than 40 bytes". Nothing if
// it may. A `free` text always may.
std::optional<std::string> objection(std::string_view text, TextRule rule, std::size_t max_bytes);

// The text as a `free` field stores it: cut between characters to at most max_bytes.
std::string made_plain(std::string_view text, std::size_t max_bytes);

}  // namespace epochcast

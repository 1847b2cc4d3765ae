// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Text that came from outside, made safe to show and to read numbers from.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

// The text in single quotes with control characters, quotes and invalid UTF-8 escaped, cut after
// max_bytes with its full length named, so that a message stays one readable line.
std::string quoted(std::string_view hostile, std::size_t max_bytes = 60);

// Length of the valid UTF-8 sequence at the start of `text`, which is not empty; 0 if there is
// none. Overlong forms, surrogates and code points above U+10FFFF are not valid.
std::size_t utf8_length(std::string_view text);

// A whole decimal number in [min, max]; anything else is a usage error that names `what`, the
// value, and the range. No sign, blank, suffix or exponent is accepted.
Result<std::uint64_t> parse_count(std::string_view what,
                                  std::string_view text,
                                  std::uint64_t min,
                                  std::uint64_t max);

// A finite decimal number in [min, max]; anything else is a usage error as above.
Result<double> parse_number(std::string_view what, std::string_view text, double min, double max);

// The text cut at each separator; empty pieces are kept. Views into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

// The text without blanks, tabs, carriage returns and newlines at both ends.
std::string_view trimmed(std::string_view text);

// "3.2 s", "4 min 10 s", "2 h 05 min", "3 d 4 h": what a person reads; "unknown" for NaN.
std::string human_duration(double seconds);

// "512 B", "1.5 KiB", "3.2 GiB"; "unknown" for NaN.
std::string human_bytes(double bytes);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What several forms have in common. Words are lower case.

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "recognise/scan.hpp"

namespace epochcast {

bool mentions_any(std::string_view text, std::span<const std::string_view> words);
inline bool mentions_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return mentions_any(text, std::span(words.begin(), words.size()));
}

// "450 / 1891" at the scan's place: position and length, moved past.
struct OutOf {
    double position = 0;
    double length = 0;
};
std::optional<OutOf> take_out_of(Scan& scan);

// What tqdm prints behind the bar: "91/91 [00:13<00:00, 6.78it/s, loss=3.16]".
struct BarEnd {
    std::string_view label;  // what stands before the bar
    OutOf done;
    double elapsed_s = 0;
};
std::optional<BarEnd> find_bar_end(std::string_view line);

// The training loss that the line names; absent if none.
double loss_in(std::string_view text);

}  // namespace epochcast

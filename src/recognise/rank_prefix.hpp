// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What launchers of parallel programs put before each line to say who printed it.

#include <string_view>

namespace epochcast {

struct RankedLine {
    std::string_view rank;  // "[1,0]<stdout>:", "[default7]:", "3:"; empty: no launcher's prefix
    std::string_view text;  // the rest, without blanks before it
};

// Views into `line`.
RankedLine without_rank(std::string_view line);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Measures how many floating-point operations per second this machine does, with a blocked
// single-precision matrix multiplication on every CPU that this process may use.

#include <cstdint>

namespace epochcast {

struct FlopProbe {
    double flop_rate = 0;  // FLOP/s, the median of the repeats
    double spread = 0;     // (max - min) / median over the repeats
    std::uint32_t threads = 0;
};

// Runs for about `seconds` in `repeats` parts; CPU quotas and affinity count as what they leave.
FlopProbe probe_flop_rate(double seconds = 3.0, std::uint32_t repeats = 5);

}  // namespace epochcast

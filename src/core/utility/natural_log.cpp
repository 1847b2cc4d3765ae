// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/natural_log.hpp"

#include <cassert>
#include <cstddef>
#include <limits>

// Wider vectors where the processor has them, with the same bits: no sums are reordered, and
// products are not fused with sums (-ffp-contract=off). Not under the thread sanitizer, which is
// not ready when the choice between clones is made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define EPOCHCAST_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define EPOCHCAST_WIDE
#endif

namespace epochcast {

EPOCHCAST_WIDE void add_weighted_logs(double weight,
                                      std::span<const double> values,
                                      std::span<double> sums) {
    assert(values.size() == sums.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double* value = values.data();
    double* sum = sums.data();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double log = natural_log(value[i]);
        const bool has_log = (value[i] > 0) & (value[i] < infinity);
        sum[i] += has_log ? weight * log : std::numeric_limits<double>::quiet_NaN();
    }
}

}  // namespace epochcast

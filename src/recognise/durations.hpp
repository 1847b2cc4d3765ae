// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How long epochs took lately, and so which cannot have taken place: a counter that jumps when a
// checkpoint is loaded, or lines that came in a heap.

#include <array>
#include <cstddef>

#include "core/epoch_record.hpp"

namespace epochcast {

class Durations {
  public:
    // False if an epoch cannot have taken `seconds`: nothing, or below 1 % of the median.
    bool accepts(double seconds);
    double last_s() const { return last_s_; }  // of those accepted; absent if none

  private:
    std::array<double, 9> recent_ = {};
    std::size_t count_ = 0;
    double last_s_ = absent;
};

}  // namespace epochcast

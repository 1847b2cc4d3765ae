// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// An epoch that ended, and one that has not, as the output of a training program told.

#include <cstdint>
#include <functional>
#include <optional>

#include "core/epoch_record.hpp"

namespace epochcast {

// Times are those that the caller gave with the bytes.
struct EpochEvent {
    std::uint32_t run = 0;     // grows where the program's counter began again
    std::uint64_t number = 0;  // as the program printed it
    std::uint64_t epoch = 0;   // index from 0 within the run
    double begin_s = 0;
    double end_s = 0;          // what lies between two epochs belongs to the first
    double wall_s = absent;    // end - begin, or what the program stated where that came in a heap
    double stated_s = absent;  // what the program itself said
    bool is_whole = true;      // false: its beginning was before the program's start
    std::uint64_t steps = absent_count;
    std::uint64_t samples = absent_count;
    double loss = absent;
};

struct UnfinishedEpoch {
    std::uint32_t run = 0;
    std::uint64_t number = 0;
    std::uint64_t epoch = 0;
    double begin_s = 0;
    double fraction = absent;  // 0 to 1
    double loss = absent;
    bool is_whole = true;
};

using TakeEpoch = std::function<void(const EpochEvent&)>;

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a process tree used over time, from samples: so that the use of an epoch is known once its
// lines have told when it began and ended. Bounded: the older samples are, the wider apart.

#include <cstddef>
#include <vector>

#include "meter/process_use.hpp"

namespace epochcast {

class UseTrack {
  public:
    // What was used up to time_s, seconds by any clock; times must not decrease. A sample without
    // CPU time, because all processes have ended, is left out. A cumulative
    // quantity that falls, because a process ended unaccounted for, counts on from where it was.
    void add(double time_s, const ProcessUse& use);

    // Use between two times, interpolated between samples; the peak is the largest resident set
    // seen in between. A quantity that was never sampled is absent.
    ProcessUse between(double begin_s, double end_s) const;

    std::size_t samples() const { return samples_.size(); }

  private:
    struct Sample {
        double time_s;
        ProcessUse use;  // peak_memory_bytes: since the start of the processes
    };
    void thin();
    ProcessUse at(double time_s) const;

    std::vector<Sample> samples_;
    ProcessUse last_raw_;
    ProcessUse lost_;  // what ended processes took with them
};

}  // namespace epochcast

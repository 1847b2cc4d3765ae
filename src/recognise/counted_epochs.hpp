// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Epochs of programs that only count: steps or tokens of which an epoch was declared to be so many,
// or parts of epochs (Hugging Face). An epoch ends when the count passes a whole number; when, is
// interpolated between the two lines around it.

#include <cstdint>
#include <optional>

#include "recognise/durations.hpp"
#include "recognise/epoch_event.hpp"

namespace epochcast {

class CountedEpochs {
  public:
    CountedEpochs(double start_s, TakeEpoch take) : take_(std::move(take)), start_s_(start_s) {}

    // `done`: epochs that the whole training has done, parts included; ≥ 0. steps: of an epoch, if
    // known.
    void see(double done, double time_s, double loss, std::uint64_t steps = absent_count);

    // The output is over; is_success: the program said so too.
    void finish(bool is_success);

    std::optional<UnfinishedEpoch> unfinished() const;
    std::uint64_t dropped() const { return dropped_; }
    bool saw_count() const { return last_done_.has_value(); }

  private:
    void begin_at(double done, double time_s);
    void second_sighting(double done);
    void advance(double done, double time_s);
    void give(std::uint64_t epoch, double end_s);

    TakeEpoch take_;
    Durations durations_;
    double start_s_;
    std::optional<double> last_done_;
    double last_s_ = 0;
    double stride_ = absent;
    double begin_s_ = 0;
    bool is_whole_ = true;
    std::uint32_t run_ = 0;
    std::uint64_t steps_ = absent_count;
    std::uint64_t dropped_ = 0;
    double loss_ = absent;
};

}  // namespace epochcast

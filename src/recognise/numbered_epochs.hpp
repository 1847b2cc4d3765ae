// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Epochs of programs that number them: begin, progress and end, put together from sightings in
// order. An epoch counts when it is said to have ended, its bar is full, or the next one begins
// after it. Repeated lines (several ranks, bars drawn again) change nothing.

#include <cstdint>
#include <optional>

#include "recognise/durations.hpp"
#include "recognise/epoch_event.hpp"
#include "recognise/sighting.hpp"

namespace epochcast {

class NumberedEpochs {
  public:
    // start_s: when the program was started.
    NumberedEpochs(double start_s, TakeEpoch take)
        : take_(std::move(take)), start_s_(start_s), last_end_s_(start_s) {}

    void see(const Sighting& sighting, double time_s);

    // Time passed without output: an epoch that ended long ago is given out.
    void tick(double time_s);

    // The output is over; is_success: the program said so too.
    void finish(bool is_success);

    std::optional<UnfinishedEpoch> unfinished() const;
    std::optional<std::uint64_t> total() const { return total_; }  // epochs asked for, if printed
    std::uint64_t dropped() const { return dropped_; }             // that cannot have taken place
    bool saw_epoch() const { return open_.has_value() || has_finished_; }

  private:
    struct Open {
        std::uint64_t number = 0;
        double begin_s = 0;
        double last_s = 0;      // last line about it
        double complete_s = 0;  // when it was complete, so far
        bool is_complete = false;
        bool is_given = false;
        bool is_bar = false;
        bool counts_samples = false;
        int end_lines = 0;
        double position = absent;
        double stride = absent;  // between two lines of progress
        double length = absent;
        double stated_s = absent;
        double loss = absent;
        double fraction() const { return position / length; }
    };

    void open(const Sighting& sighting, double time_s, bool is_next);
    void restart(const Sighting& sighting, double time_s);
    void update(const Sighting& sighting, double time_s);
    void update_progress(const Sighting& sighting, double time_s);
    void complete(double time_s);
    void give(double end_s);
    bool is_stale(const Sighting& sighting, double time_s) const;
    bool has_ended_before_next() const;
    std::uint64_t index_of(std::uint64_t number) const;

    TakeEpoch take_;
    Durations durations_;
    std::optional<Open> open_;
    std::optional<std::uint64_t> total_;
    double start_s_;
    double last_end_s_;
    double accounted_s_ = 0;  // by the epochs given out
    std::uint32_t run_ = 0;
    std::uint64_t base_ = 0;
    std::uint64_t dropped_ = 0;
    bool run_has_finished_ = false;
    bool has_finished_ = false;
    bool repeats_end_lines_ = false;
};

}  // namespace epochcast

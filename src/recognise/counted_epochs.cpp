// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/counted_epochs.hpp"

#include <algorithm>
#include <cmath>

namespace epochcast {

namespace {

constexpr double highest = 1e15;
// A count that jumps further is that of another run, a checkpoint's, or no count.
constexpr double most_strides = 20;
constexpr double most_epochs = 1000;
// What a trainer that leaves out its last, smaller step comes to at its end.
constexpr double as_good_as_whole = 0.98;

}  // namespace

void CountedEpochs::begin_at(double done, double time_s) {
    last_done_ = done;
    last_s_ = time_s;
    begin_s_ = time_s;
    stride_ = absent;
    is_whole_ = done == std::floor(done);
}

// Where lines come every 10 steps and the first was of step 10, training began at 0.
void CountedEpochs::second_sighting(double done) {
    stride_ = done - *last_done_;
    if (run_ != 0 || *last_done_ > 1.5 * stride_ || *last_done_ > most_epochs) return;
    const double first_done = *last_done_;
    const double first_s = last_s_;
    begin_s_ = last_s_ = start_s_;
    last_done_ = 0;
    is_whole_ = true;
    advance(first_done, first_s);
}

void CountedEpochs::advance(double done, double time_s) {
    const double gained = done - *last_done_;
    for (double boundary = std::floor(*last_done_) + 1; boundary <= done; ++boundary) {
        const double part = (boundary - *last_done_) / gained;
        give(static_cast<std::uint64_t>(boundary) - 1, last_s_ + part * (time_s - last_s_));
    }
    last_done_ = done;
    last_s_ = time_s;
}

void CountedEpochs::see(double done, double time_s, double loss, std::uint64_t steps) {
    if (!(done >= 0) || done > highest) return;
    steps_ = steps;
    if (!last_done_) {
        begin_at(done, time_s);
        loss_ = loss;
        return;
    }
    const double gained = done - *last_done_;
    if (gained == 0) return;
    if (gained < 0) {
        // Another rank that lags, or a start from an older checkpoint.
        const bool is_lag = std::isfinite(stride_) && -gained <= 2 * stride_;
        if (is_lag) return;
        ++run_;
        begin_at(done, time_s);
        return;
    }
    // Of two lines the first is a stride from 0, or the second is near it.
    const bool is_pair = gained <= 2 || std::abs(gained - *last_done_) <= 0.1 * *last_done_ + 1;
    const bool is_jump = std::isnan(stride_) ? !is_pair : gained > most_strides * stride_;
    if (is_jump || gained > most_epochs) {
        begin_at(done, time_s);
        return;
    }
    if (std::isnan(stride_)) second_sighting(done);
    stride_ = gained;
    advance(done, time_s);
    if (!std::isnan(loss)) loss_ = loss;
}

void CountedEpochs::give(std::uint64_t epoch, double end_s) {
    EpochEvent event;
    event.run = run_;
    event.number = epoch;
    event.epoch = epoch;
    event.begin_s = begin_s_;
    event.end_s = std::max(end_s, begin_s_);
    event.wall_s = event.end_s - event.begin_s;
    event.is_whole = is_whole_;
    event.loss = loss_;
    if (is_whole_) event.steps = steps_;
    begin_s_ = event.end_s;
    is_whole_ = true;
    if (!event.is_whole ? event.wall_s > 0 : durations_.accepts(event.wall_s)) {
        take_(event);
    } else {
        ++dropped_;
    }
}

void CountedEpochs::finish(bool is_success) {
    if (!is_success || !last_done_) return;
    const double whole = std::floor(*last_done_);
    if (*last_done_ - whole < as_good_as_whole) return;
    give(static_cast<std::uint64_t>(whole), last_s_);
    last_done_ = whole + 1;
}

std::optional<UnfinishedEpoch> CountedEpochs::unfinished() const {
    if (!last_done_) return std::nullopt;
    const double whole = std::floor(*last_done_);
    UnfinishedEpoch epoch;
    epoch.run = run_;
    epoch.number = epoch.epoch = static_cast<std::uint64_t>(whole);
    epoch.begin_s = begin_s_;
    epoch.fraction = *last_done_ - whole;
    epoch.loss = loss_;
    epoch.is_whole = is_whole_;
    return epoch;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/numbered_epochs.hpp"

#include <algorithm>
#include <cmath>

namespace epochcast {

namespace {

// More lines than this that say "epoch k ..." with measures: they are printed during the epoch.
constexpr int most_end_lines = 3;

std::uint64_t count_of(double value) {
    return value >= 1 && value < 1e18 ? static_cast<std::uint64_t>(value) : absent_count;
}

}  // namespace

std::uint64_t NumberedEpochs::index_of(std::uint64_t number) const {
    return number - std::min(base_, number);
}

void NumberedEpochs::see(const Sighting& sighting, double time_s) {
    if (sighting.says == Says::nothing) return;
    if (!sighting.epoch) {
        if (open_) update(sighting, time_s);
        return;
    }
    if (sighting.says == Says::evaluation) {
        if (open_ && open_->number == *sighting.epoch) update(sighting, time_s);
        return;
    }
    const bool is_behind = open_ && *sighting.epoch < open_->number;
    if (is_behind && is_stale(sighting, time_s)) return;
    // fit(epochs=1) in a loop begins the same epoch again and again.
    const bool begins_again = open_ && *sighting.epoch == open_->number &&
                              sighting.says == Says::begins && open_->is_complete &&
                              open_->end_lines == 0;
    if (!open_ || is_behind || begins_again) {
        restart(sighting, time_s);
    } else if (*sighting.epoch > open_->number) {
        open(sighting, time_s, *sighting.epoch == open_->number + 1);
    }
    update(sighting, time_s);
}

// A line about an epoch that is over, from a rank that lags behind.
bool NumberedEpochs::is_stale(const Sighting& sighting, double time_s) const {
    const bool is_far_back = open_->number - *sighting.epoch >= 2;
    if (sighting.says == Says::time) return true;
    if (!run_has_finished_ && !open_->is_complete) return false;  // a number out of settings
    const double since =
        open_->is_complete ? std::max(open_->begin_s, open_->complete_s) : open_->begin_s;
    const double last_s = durations_.last_s();
    return !is_far_back && std::isfinite(last_s) && time_s - since < 0.5 * last_s;
}

// The first epoch of all, or the first after the counter began again.
void NumberedEpochs::restart(const Sighting& sighting, double time_s) {
    if (open_ && open_->is_complete && !open_->is_given) give(open_->complete_s);
    const bool is_new_run = run_has_finished_;
    if (is_new_run) ++run_;
    run_has_finished_ = false;
    repeats_end_lines_ = false;
    open_.reset();
    const std::uint64_t number = *sighting.epoch;
    // Lightning's bars and YOLO's columns count from 0, also where they are seen first at 6 of 10.
    const bool is_resumed_bar = sighting.is_bar && number > 1 && !sighting.epochs;
    const bool counts_from_0 = number == 0 || is_resumed_bar;
    base_ = counts_from_0 ? 0 : 1;
    if (sighting.epochs) {
        total_ = *sighting.epochs + (counts_from_0 && sighting.counts_to_last ? 1 : 0);
    }
    open(sighting, time_s, false);
}

bool NumberedEpochs::has_ended_before_next() const {
    if (open_->is_complete) return true;
    const double fraction = open_->fraction();
    return std::isnan(fraction) || fraction >= 0.5;
}

void NumberedEpochs::open(const Sighting& sighting, double time_s, bool is_next) {
    double begin_s = time_s;
    const bool tells_end_only = sighting.says == Says::ends || sighting.says == Says::time;
    if (open_) {
        const bool ended = open_->is_complete || (is_next && has_ended_before_next());
        // The next one begins when this line came, unless the line is already about its end.
        const double end_s =
            open_->is_complete && (tells_end_only || !is_next) ? open_->complete_s : time_s;
        if (tells_end_only) begin_s = open_->is_complete ? open_->complete_s : open_->last_s;
        if (ended && !open_->is_given) give(end_s);
    } else if (tells_end_only || (sighting.says == Says::progress && run_ == 0)) {
        begin_s = last_end_s_;
    }
    if (sighting.says == Says::progress && sighting.stated_s) {
        begin_s = std::max(begin_s, time_s - *sighting.stated_s);
    }
    open_ = Open();
    open_->number = *sighting.epoch;
    open_->begin_s = begin_s;
    open_->last_s = time_s;
    if (sighting.epochs && !total_) total_ = sighting.epochs;
}

void NumberedEpochs::complete(double time_s) {
    open_->is_complete = true;
    open_->complete_s = time_s;
}

void NumberedEpochs::update(const Sighting& sighting, double time_s) {
    open_->last_s = time_s;
    switch (sighting.says) {
        case Says::progress:
            update_progress(sighting, time_s);
            return;
        case Says::ends:
            if (++open_->end_lines > most_end_lines) {
                repeats_end_lines_ = true;
                open_->is_complete = open_->is_given;
            }
            if (!repeats_end_lines_) complete(time_s);
            break;
        case Says::time:
            complete(time_s);
            break;
        case Says::evaluation:
            if (open_->is_complete) complete(time_s);
            return;
        default:
            break;
    }
    if (sighting.stated_s) open_->stated_s = *sighting.stated_s;
    if (!std::isnan(sighting.loss)) open_->loss = sighting.loss;
}

void NumberedEpochs::update_progress(const Sighting& sighting, double time_s) {
    if (!sighting.position) return;
    const double position = *sighting.position;
    const double length = sighting.length.value_or(absent);
    const bool is_full = position >= length;
    if (open_->is_complete) {
        // Drawn again at 0 % or 100 %, or the bar of something else.
        if (!is_full || length != open_->length) return;
        open_->stated_s = std::max(sighting.stated_s.value_or(0),
                                   std::isnan(open_->stated_s) ? 0 : open_->stated_s);
        if (open_->stated_s == 0) open_->stated_s = absent;
        complete(time_s);
    } else {
        const bool is_same_bar = length == open_->length;
        if (!is_same_bar) open_->stride = absent;
        if (is_same_bar && position > open_->position) {
            open_->stride = position - open_->position;
        }
        open_->position = position;
        open_->length = length;
        open_->counts_samples = sighting.counts_samples;
        open_->is_bar = sighting.is_bar;
        if (is_full) complete(time_s);
        if (sighting.stated_s && is_full) open_->stated_s = *sighting.stated_s;
    }
    if (!std::isnan(sighting.loss)) open_->loss = sighting.loss;
}

void NumberedEpochs::give(double end_s) {
    open_->is_given = true;
    EpochEvent event;
    event.run = run_;
    event.number = open_->number;
    event.epoch = index_of(open_->number);
    event.begin_s = open_->begin_s;
    event.end_s = std::max(end_s, open_->begin_s);
    event.stated_s = open_->stated_s;
    event.loss = open_->loss;
    if (open_->counts_samples) event.samples = count_of(open_->length);
    if (!open_->counts_samples && open_->length > 1) event.steps = count_of(open_->length);
    const double measured_s = event.end_s - event.begin_s;
    // Lines that were held back in a buffer come in a heap; then the program's own word counts, as
    // far as there was that much time at all.
    const double left_s = (event.end_s - start_s_) - accounted_s_;
    const bool came_in_heap = event.stated_s > 2 * measured_s && event.stated_s <= 1.01 * left_s;
    event.wall_s = came_in_heap ? event.stated_s : measured_s;
    last_end_s_ = event.end_s;
    run_has_finished_ = true;
    if (!durations_.accepts(event.wall_s)) {
        ++dropped_;
        return;
    }
    has_finished_ = true;
    // Of a heap the first seems to have taken all the time; what it stated is more likely.
    accounted_s_ += std::fmin(event.wall_s, event.stated_s);
    take_(event);
}

void NumberedEpochs::tick(double time_s) {
    if (!open_ || !open_->is_complete || open_->is_given) return;
    constexpr double least_s = 60;
    const double took_s = open_->complete_s - open_->begin_s;
    if (time_s - open_->complete_s > std::max(least_s, took_s)) give(open_->complete_s);
}

void NumberedEpochs::finish(bool is_success) {
    if (!open_ || open_->is_given) return;
    if (open_->is_complete) {
        give(open_->complete_s);
        return;
    }
    // "59520/60000" where lines come every 640: there was no further line to come.
    const bool was_last_line = open_->position + open_->stride > open_->length;
    if (is_success && was_last_line && open_->fraction() >= 0.5) give(open_->last_s);
}

std::optional<UnfinishedEpoch> NumberedEpochs::unfinished() const {
    if (!open_ || open_->is_complete) return std::nullopt;
    UnfinishedEpoch epoch;
    epoch.run = run_;
    epoch.number = open_->number;
    epoch.epoch = index_of(open_->number);
    epoch.begin_s = open_->begin_s;
    epoch.fraction = open_->fraction();
    epoch.loss = open_->loss;
    return epoch;
}

}  // namespace epochcast

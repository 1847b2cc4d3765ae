// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Turns the output of a training program into epochs. Fed with bytes and the time at which they
// came; does no I/O and has no clock, so the same bytes at the same times give the same epochs.
// Memory is bounded whatever comes. It recognises what programs print, never what they mean: an
// epoch that did not end is not given out, and where nothing was recognised it says so.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "recognise/counted_epochs.hpp"
#include "recognise/epoch_event.hpp"
#include "recognise/numbered_epochs.hpp"
#include "recognise/output_lines.hpp"

namespace epochcast {

// What an epoch was declared to be; at most one is set. Neither: what the program calls one.
struct EpochUnit {
    std::optional<std::uint64_t> steps;
    std::optional<std::uint64_t> tokens;
};

class Recogniser {
  public:
    // start_s: when the program was started, by the clock of all other times (monotonic, seconds).
    // Epochs are given to `take` as they end, in order; the last one when the next begins, some
    // time after it ended, or in finish().
    Recogniser(double start_s, EpochUnit unit, TakeEpoch take);
    Recogniser(const Recogniser&) = delete;
    Recogniser& operator=(const Recogniser&) = delete;

    // Bytes that came at time_s on one of the streams: 0 output, 1 errors.
    void feed(std::size_t stream, std::string_view bytes, double time_s);

    // Call it every few seconds when nothing comes.
    void tick(double time_s);

    // The output is over. is_success: the program ended well.
    void finish(bool is_success);

    std::optional<UnfinishedEpoch> unfinished() const;
    std::optional<std::uint64_t> total_epochs() const { return numbered_.total(); }
    std::uint64_t finished() const { return finished_; }
    // Epochs that no time passed for, or below 1 % of what they usually take.
    std::uint64_t dropped() const { return numbered_.dropped() + counted_.dropped(); }
    // Counts of steps were seen, so that --steps-per-epoch would tell what an epoch is.
    bool saw_steps() const { return saw_steps_; }
    bool saw_tokens() const { return saw_tokens_; }
    bool saw_epochs() const { return numbered_.saw_epoch() || saw_fractions_; }

  private:
    // Who said something of an epoch first is listened to, so that nothing counts twice.
    enum class Source : unsigned char { nobody, numbered, counted };

    void see_line(std::string_view line, double time_s);
    void see_count(const Sighting& sighting, double time_s);
    void take(Source source, const EpochEvent& event);

    EpochUnit unit_;
    TakeEpoch take_;
    NumberedEpochs numbered_;
    CountedEpochs counted_;
    std::array<OutputLines, 2> lines_;
    std::string leader_;  // the rank that is listened to
    bool has_leader_ = false;
    Source source_ = Source::nobody;
    std::uint64_t finished_ = 0;
    bool saw_steps_ = false;
    bool saw_tokens_ = false;
    bool saw_fractions_ = false;
};

}  // namespace epochcast

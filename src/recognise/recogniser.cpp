// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/recogniser.hpp"

#include "recognise/rank_prefix.hpp"

namespace epochcast {

Recogniser::Recogniser(double start_s, EpochUnit unit, TakeEpoch take)
    : unit_(unit),
      take_(std::move(take)),
      numbered_(start_s, [this](const EpochEvent& event) { this->take(Source::numbered, event); }),
      counted_(start_s, [this](const EpochEvent& event) { this->take(Source::counted, event); }) {}

void Recogniser::take(Source source, const EpochEvent& event) {
    if (source_ == Source::nobody) source_ = source;
    if (source_ != source) return;
    if (event.is_whole) ++finished_;
    take_(event);
}

void Recogniser::feed(std::size_t stream, std::string_view bytes, double time_s) {
    lines_[stream % lines_.size()].feed(
        bytes, time_s, [this](std::string_view line, double at_s) { see_line(line, at_s); });
}

void Recogniser::tick(double time_s) { numbered_.tick(time_s); }

void Recogniser::finish(bool is_success) {
    for (OutputLines& lines : lines_) {
        lines.flush([this](std::string_view line, double at_s) { see_line(line, at_s); });
    }
    numbered_.finish(is_success);
    counted_.finish(is_success);
}

void Recogniser::see_line(std::string_view line, double time_s) {
    const RankedLine ranked = without_rank(line);
    const Sighting sighting = read_sighting(ranked.text);
    if (sighting.says == Says::nothing) return;
    if (!ranked.rank.empty()) {
        if (!has_leader_) leader_ = ranked.rank;
        has_leader_ = true;
        if (leader_ != ranked.rank) return;
    }
    see_count(sighting, time_s);
    const bool is_declared = unit_.steps || unit_.tokens;
    const bool is_count = sighting.says == Says::iteration || sighting.says == Says::fraction;
    if (!is_declared && !is_count) numbered_.see(sighting, time_s);
}

// What counts for epochs that are declared as steps or tokens, and for parts of epochs.
void Recogniser::see_count(const Sighting& sighting, double time_s) {
    const bool is_bar = sighting.says == Says::progress && sighting.is_bar && !sighting.epoch &&
                        !sighting.counts_samples;
    if (sighting.says == Says::fraction) {
        saw_fractions_ = true;
        if (!unit_.steps && !unit_.tokens) {
            counted_.see(*sighting.position, time_s, sighting.loss);
        }
        return;
    }
    if (sighting.says != Says::iteration && !is_bar) return;
    if (sighting.says == Says::iteration) saw_steps_ = true;
    if (sighting.tokens) saw_tokens_ = true;
    if (unit_.steps) {
        counted_.see(*sighting.position / static_cast<double>(*unit_.steps),
                     time_s,
                     sighting.loss,
                     *unit_.steps);
    } else if (unit_.tokens && sighting.tokens) {
        counted_.see(*sighting.tokens / static_cast<double>(*unit_.tokens), time_s, sighting.loss);
    }
}

std::optional<UnfinishedEpoch> Recogniser::unfinished() const {
    const bool is_counted = unit_.steps || unit_.tokens || source_ == Source::counted ||
                            (source_ == Source::nobody && saw_fractions_);
    return is_counted ? counted_.unfinished() : numbered_.unfinished();
}

}  // namespace epochcast

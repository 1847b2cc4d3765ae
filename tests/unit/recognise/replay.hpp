// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Feeds a text to a recogniser as if each of its lines had come one second after the other.

#include <string>
#include <string_view>
#include <vector>

#include "recognise/recogniser.hpp"

namespace epochcast {

struct Replay {
    std::vector<EpochEvent> epochs;
    std::optional<UnfinishedEpoch> unfinished;  // before the output was over
    std::optional<std::uint64_t> total;
    std::uint64_t dropped = 0;
    bool saw_steps = false;
    bool saw_epochs = false;
    // The numbers that the program printed.
    std::vector<std::uint64_t> numbers() const {
        std::vector<std::uint64_t> all;
        for (const EpochEvent& epoch : epochs) all.push_back(epoch.number);
        return all;
    }
    std::vector<double> stated_s() const {
        std::vector<double> all;
        for (const EpochEvent& epoch : epochs) all.push_back(epoch.stated_s);
        return all;
    }
};

inline Replay replay(std::string_view text, EpochUnit unit = {}, bool is_success = true) {
    Replay result;
    Recogniser recogniser(
        0, unit, [&](const EpochEvent& epoch) { result.epochs.push_back(epoch); });
    double time_s = 0;
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = text.find_first_of("\r\n", start);
        const std::size_t next = end == text.npos ? text.size() : end + 1;
        time_s += 1;
        recogniser.feed(0, text.substr(start, next - start), time_s);
        start = next;
    }
    result.unfinished = recogniser.unfinished();
    recogniser.finish(is_success);
    result.total = recogniser.total_epochs();
    result.dropped = recogniser.dropped();
    result.saw_steps = recogniser.saw_steps();
    result.saw_epochs = recogniser.saw_epochs();
    return result;
}

}  // namespace epochcast

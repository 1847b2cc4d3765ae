// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Lines that hold a dictionary: {'loss': 0.5, 'epoch': 0.32} of Hugging Face, {"epoch": 27,
// "update": 26.267, "loss": "8.2"} of fairseq, and other JSON lines.

#include <cmath>

#include "recognise/forms.hpp"
#include "recognise/sighting.hpp"

namespace epochcast {

namespace {

constexpr double highest_epoch = 1e9;

// Whether the number of the epoch is written with a decimal point, as Hugging Face does.
bool is_written_as_fraction(std::string_view line) {
    for (std::size_t at = find_word(line, "epoch"); at != line.npos;
         at = find_word(line, "epoch", at + 1)) {
        Scan scan(line.substr(at + 5));
        if (!scan.take('\'') && !scan.take('"')) continue;
        scan.take_any(":");
        if (!scan.take('\'')) scan.take('"');
        if (!scan.take_count()) continue;
        return scan.take('.');
    }
    return false;
}

}  // namespace

bool read_keyed(std::string_view line, Sighting& sighting) {
    const std::size_t open = line.find('{');
    if (open == line.npos) return false;
    line = line.substr(open);
    const bool is_quoted = mentions_any(line, {"'epoch'", "\"epoch\""});
    const auto epoch = is_quoted ? value_of(line, "epoch") : std::nullopt;
    if (!epoch || !(*epoch >= 0) || *epoch > highest_epoch) return false;
    sighting.loss = loss_in(line);
    if (is_written_as_fraction(line)) {
        sighting.says = Says::fraction;
        sighting.position = *epoch;
        return true;
    }
    sighting.epoch = static_cast<std::uint64_t>(*epoch);
    const auto update = value_of(line, "update");
    if (mentions_any(line, {"valid_loss", "val_loss\": \"", "\"mode\": \"val\""}) &&
        !mentions(line, "train_loss")) {
        sighting.says = Says::evaluation;
    } else if (update && *update >= *epoch - 1 && *update <= *epoch) {
        sighting.says = Says::progress;
        // The part of the epoch; its steps are not stated.
        sighting.position = *update - (*epoch - 1);
        sighting.length = 1;
        sighting.is_bar = true;
    } else if (const auto step = value_of(line, "iter")) {
        sighting.says = Says::progress;
        sighting.position = *step;
    } else if (update || mentions_any(line, {"\"step\"", "'step'", "\"batch\"", "'batch'"})) {
        sighting.says = Says::progress;
    } else {
        sighting.says =
            std::isnan(sighting.loss) && !mentions(line, "loss") ? Says::nothing : Says::ends;
    }
    return true;
}

}  // namespace epochcast

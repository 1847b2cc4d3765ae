// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/forms.hpp"

#include <algorithm>

#include "core/epoch_record.hpp"
#include "recognise/sighting.hpp"

namespace epochcast {

namespace {

// The most telling forms first: a dictionary may hold "epoch" and "step" too.
constexpr Form forms[] = {
    {"dictionary (Hugging Face, fairseq, JSON lines)", read_keyed},
    {"epoch k of n in words (PyTorch, Keras, Lightning, fairseq, mmseg)", read_epoch_word},
    {"time of the epoch on a line of its own", read_epoch_time},
    {"Keras bar", read_keras_bar},
    {"tqdm bar (YOLO and others)", read_tqdm_bar},
    {"iterations (Megatron, nanoGPT, detectron2, DeepSpeed, mmseg)", read_iteration},
};

}  // namespace

bool mentions_any(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return mentions(text, word); });
}

std::optional<OutOf> take_out_of(Scan& scan) {
    Scan ahead = scan;
    ahead.skip_blanks();
    const auto position = ahead.take_count();
    if (!position || !ahead.take_any("/")) return std::nullopt;
    const auto length = ahead.take_count();
    if (!length || *length == 0 || *position > *length) return std::nullopt;
    // A date or a version is no progress.
    const std::string_view rest = ahead.rest();
    if (!rest.empty() && (rest[0] == '/' || rest[0] == '.' || is_letter(rest[0]))) {
        return std::nullopt;
    }
    scan = ahead;
    return OutOf{static_cast<double>(*position), static_cast<double>(*length)};
}

std::optional<BarEnd> find_bar_end(std::string_view line) {
    for (std::size_t open = line.find(" ["); open != line.npos; open = line.find(" [", open + 1)) {
        Scan times(line.substr(open + 2));
        const auto elapsed = times.take_duration_s();
        if (!elapsed || !times.take('<')) continue;
        // Back over "k/n" before the bracket.
        std::size_t start = open;
        while (start > 0 && (is_digit(line[start - 1]) || line[start - 1] == '/')) --start;
        Scan scan(line.substr(start));
        const auto done = take_out_of(scan);
        if (!done) continue;
        return BarEnd{line.substr(0, start), *done, *elapsed};
    }
    return std::nullopt;
}

double loss_in(std::string_view text) {
    for (const std::string_view key :
         {"train_loss", "train loss", "training loss", "lm loss", "total_loss", "loss"}) {
        if (const auto loss = value_of(text, key)) return *loss;
    }
    return absent;
}

Sighting read_sighting(std::string_view line) {
    for (const Form& form : forms) {
        Sighting sighting;
        if (form.read(line, sighting)) return sighting;
    }
    return {};
}

}  // namespace epochcast

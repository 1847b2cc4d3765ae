// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Lines that count steps and know no epochs: Megatron's "iteration 29020/ 311541 | consumed
// samples: ...", nanoGPT's "iter 2980: loss 3.9, time 1099ms", detectron2's "iter: 19 total_loss:
// 1.7", DeepSpeed's "steps: 10 loss: 0.5", mmseg's "Iter [50/160000]", "step:125/1480
// val_loss:4.3".

#include <algorithm>

#include "recognise/forms.hpp"
#include "recognise/sighting.hpp"

namespace epochcast {

namespace {

struct Counter {
    std::string_view word;
    bool prints_index;  // what it prints is the index of the step that was just done
};

// Longer words before their beginnings.
constexpr Counter counters[] = {{"iteration", false},
                                {"iter(train)", false},
                                {"iter", true},
                                {"global_step", false},
                                {"steps", false},
                                {"step", false}};

bool is_boundary(std::string_view line, std::size_t at) {
    return at == 0 || !(is_letter(line[at - 1]) || is_digit(line[at - 1]) || line[at - 1] == '_' ||
                        line[at - 1] == '-' || line[at - 1] == '"' || line[at - 1] == '\'');
}

// The count behind the counter's word at the start of `text`.
bool read_count(std::string_view text, bool prints_index, Sighting& sighting) {
    Scan scan(text);
    const bool has_blank = scan.rest().starts_with(' ');
    const bool has_sign = scan.take_any(":=");
    scan.skip_blanks();
    const bool is_bracketed = scan.take('[');
    if (!has_blank && !has_sign && !is_bracketed) return false;
    if (const auto out_of = take_out_of(scan)) {
        sighting.position = out_of->position;
        sighting.length = out_of->length;
        return true;
    }
    const auto count = scan.take_count();
    if (!count || (!scan.rest().empty() && (is_letter(scan.rest()[0]) || scan.rest()[0] == '.'))) {
        return false;
    }
    sighting.position = static_cast<double>(*count) + (prints_index ? 1 : 0);
    return true;
}

bool has_measure(std::string_view line) {
    return mentions_any(line, {"loss", "time", "samples/s", "tokens/s", "lr"});
}

}  // namespace

bool read_iteration(std::string_view line, Sighting& sighting) {
    if (!has_measure(line) || mentions_any(line, {"checkpoint", "resum", "echo "})) return false;
    for (const Counter& counter : counters) {
        const std::size_t at = find_word(line, counter.word);
        if (at == line.npos || !is_boundary(line, at)) continue;
        if (!read_count(line.substr(at + counter.word.size()), counter.prints_index, sighting)) {
            continue;
        }
        sighting.says = Says::iteration;
        sighting.samples = value_of(line, "consumed samples");
        sighting.tokens = value_of(line, "consumed tokens");
        if (!sighting.tokens) sighting.tokens = value_of(line, "tokens");
        sighting.loss = loss_in(line);
        return true;
    }
    return false;
}

}  // namespace epochcast

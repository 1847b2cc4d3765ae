// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Progress bars that do not name their epoch in words: those of Keras ("13/13 [====] - 2s
// 135ms/step - loss: 0.5", "13/13 - 2s - loss: 0.5") and of tqdm, YOLO's columns before it among
// them ("  0/299  18.5G  0.11 ...:  6%|##  | 15/234 [00:23<04:56, 1.36s/it]").

#include <cmath>

#include "recognise/forms.hpp"
#include "recognise/sighting.hpp"

namespace epochcast {

namespace {

// Past "[====>...]" or the line of heavy dashes that Keras 3 draws; false if there is none.
bool take_keras_drawing(Scan& scan) {
    scan.skip_blanks();
    if (scan.take('[')) {
        while (scan.take('=') || scan.take('>') || scan.take('.')) {
        }
        return scan.take(']');
    }
    bool has_dash = false;
    while (scan.take("\u2501")) has_dash = true;
    return has_dash;
}

// "2s 135ms/step", "0s 898us/step", "5s 89us/sample", "1s": seconds of the epoch. The first is
// whole seconds, so steps × time per step is taken where that is finer.
std::optional<double> take_keras_time(Scan& scan, Sighting& sighting) {
    constexpr double exact_enough_s = 10;
    const auto whole = [&]() -> std::optional<double> {
        Scan ahead = scan;
        const auto number = ahead.take_number();
        if (!number || !(ahead.take("s ") || ahead.take("s-") || ahead.rest() == "s")) {
            return std::nullopt;
        }
        scan = ahead;
        return number;
    }();
    if (!whole) return scan.take_duration_s();
    scan.skip_blanks();
    const auto each = scan.take_duration_s();
    if (!each) return whole;
    sighting.counts_samples = scan.take("/sample");
    if (!sighting.counts_samples && !scan.take("/step")) return whole;
    const double product = *each * *sighting.length;
    return *whole < exact_enough_s && std::isfinite(product) ? product : *whole;
}

// YOLO's line of columns: "0/299  18.5G ..." before the bar.
bool read_yolo_columns(std::string_view label, Sighting& sighting) {
    Scan scan(without_blanks(label));
    const auto epoch = scan.take_count();
    if (!epoch || !scan.take('/')) return false;
    const auto last = scan.take_count();
    if (!last || !scan.rest().starts_with(' ')) return false;
    scan.skip_blanks();
    if (!scan.take_number()) return false;
    const bool has_memory = scan.take('G') || scan.take('M') || scan.rest().starts_with(' ');
    if (!has_memory) return false;
    sighting.epoch = epoch;
    sighting.epochs = last;
    sighting.counts_to_last = true;
    return true;
}

}  // namespace

bool read_keras_bar(std::string_view line, Sighting& sighting) {
    Scan scan(line);
    const auto done = take_out_of(scan);
    if (!done) return false;
    const bool is_drawn = take_keras_drawing(scan);
    scan.skip_blanks();
    const bool has_dash = scan.take("- ");
    if (!is_drawn && !has_dash) return false;
    sighting.position = done->position;
    sighting.length = done->length;
    sighting.is_bar = true;
    sighting.loss = loss_in(scan.rest());
    sighting.says = Says::progress;
    if (scan.rest().starts_with("ETA")) {
        // The bar may be full before the last step's time is known; that line comes next.
        if (done->position >= done->length) sighting.position = done->length - 1;
        return true;
    }
    sighting.stated_s = take_keras_time(scan, sighting);
    if (!is_drawn && !sighting.stated_s) return false;
    return true;
}

bool read_tqdm_bar(std::string_view line, Sighting& sighting) {
    const auto bar = find_bar_end(line);
    if (!bar) return false;
    sighting.position = bar->done.position;
    sighting.length = bar->done.length;
    sighting.stated_s = bar->elapsed_s;
    sighting.loss = loss_in(line.substr(bar->label.size()));
    sighting.is_bar = true;
    sighting.says = Says::progress;
    if (read_yolo_columns(bar->label, sighting)) return true;
    if (mentions_any(bar->label,
                     {"val",
                      "eval",
                      "test",
                      "sanity",
                      "predict",
                      "load",
                      "download",
                      "map",
                      "token",
                      "cach",
                      "scan",
                      "generat",
                      "process",
                      "extract",
                      "fetch",
                      "iou",
                      "class"})) {
        sighting.says = Says::evaluation;
    }
    return true;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Output of any program: epochs are in order and of positive length, and how the bytes were cut
// into pieces makes no difference.

#include <cmath>

#include "fuzz/fuzz.hpp"
#include "recognise/recogniser.hpp"

using namespace epochcast;

std::vector<std::string> fuzz_seeds() {
    return {
        "SEpoch 1/2\n5/5 [====] - 1s 200ms/step - loss: 0.5\nEpoch 2/2\n5/5 [===>] - 0s 9us/step\n",
        "NEpoch 0: 50%|## | 5/10 [00:01<00:02, 3it/s]\rEpoch 0: 100%|###| 10/10 "
        "[00:02<00:00]\x1b[A",
        "N[1,0]<stdout>:Epoch: [0][ 10/20]\tTime 0.1\n[1,1]<stdout>:Epoch: [1][ 1/20]\tTime nan\n",
        "N{'loss': 2.1, 'epoch': 0.5}\n{'loss': 2.0, 'epoch': 1.0}\n{'loss': 1.9, 'epoch': 2.25}\n",
        "S iteration 10/ 90 | consumed tokens: 99 | lm loss: 6.0E+00 |\n iteration 20/ 90 | lm "
        "loss: 1\n",
        "T iteration 10/ 90 | consumed tokens: 99 | lm loss: 6.0E+00 |\n"
        " iteration 20/ 90 | consumed tokens: 199 | lm loss: 6.0E+00 |\n",
        "N0: epoch 001 | loss 8.5 | wall 30\n0: epoch 002:  5 / 10 loss=1\n{\"epoch\": 2, "
        "\"update\": 1.5}",
        "Niter 999999999999999999: loss 4.0, time 1ms\nEpoch 999999999999999999/9\nEpoch time: "
        "1:99:1 s\n"};
}

namespace {

EpochUnit unit_of(char kind) {
    if (kind == 'S') return {.steps = 7, .tokens = {}};
    if (kind == 'T') return {.steps = {}, .tokens = 50};
    return {};
}

std::vector<EpochEvent> epochs_of(std::string_view text, EpochUnit unit, std::size_t piece) {
    std::vector<EpochEvent> epochs;
    Recogniser recogniser(0, unit, [&](const EpochEvent& epoch) { epochs.push_back(epoch); });
    // Time passes with the bytes before, however they are cut.
    double line = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::size_t next = end == text.npos ? text.size() : end + 1;
        line += 1;
        for (; at < next; at += std::min(piece, next - at)) {
            recogniser.feed(0, text.substr(at, std::min(piece, next - at)), line);
        }
    }
    if (const auto unfinished = recogniser.unfinished()) {
        promise(!(unfinished->fraction < 0), "progress is not negative");
    }
    recogniser.finish(true);
    return epochs;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const EpochUnit unit = unit_of(text[0]);
    const auto epochs = epochs_of(text.substr(1), unit, text.size());
    std::uint32_t run = 0;
    for (const EpochEvent& epoch : epochs) {
        promise(epoch.wall_s > 0 && std::isfinite(epoch.wall_s), "an epoch takes time");
        promise(epoch.end_s >= epoch.begin_s, "an epoch ends after it began");
        promise(epoch.run >= run, "runs come in order");
        run = epoch.run;
    }
    const auto cut = epochs_of(text.substr(1), unit, 3);
    promise(cut.size() == epochs.size(), "pieces make no difference");
    for (std::size_t i = 0; i < cut.size(); ++i) {
        promise(cut[i].number == epochs[i].number && cut[i].wall_s == epochs[i].wall_s,
                "pieces make no difference to an epoch");
    }
    return 0;
}

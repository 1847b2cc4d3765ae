// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What one line of a training program's output says about its epochs, as printed: no line is
// believed here, that is for those who see them all in order.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/epoch_record.hpp"

namespace epochcast {

enum class Says : std::uint8_t {
    nothing,
    begins,      // epoch `epoch` begins
    progress,    // it has come to `position` of `length`
    ends,        // it has ended
    evaluation,  // something is validated or tested
    time,        // the epoch that just ended took `stated_s`
    iteration,   // `position` of `length` steps of the whole training are done
    fraction,    // `position` epochs of the whole training are done
};

struct Sighting {
    Says says = Says::nothing;
    std::optional<std::uint64_t> epoch;   // as printed, from 0 or 1 on; absent: that under way
    std::optional<std::uint64_t> epochs;  // what stands behind "of", as printed
    std::optional<double> position;
    std::optional<double> length;
    bool counts_samples = false;     // position and length are samples, not steps
    bool is_bar = false;             // a progress bar, which is drawn again and again
    bool counts_to_last = false;     // `epochs` is the last number, not how many
    std::optional<double> stated_s;  // what the program says that the epoch took up to here
    std::optional<double> samples;   // of the whole training up to here
    std::optional<double> tokens;    // of the whole training up to here
    double loss = absent;
};

// The forms that are known, each a function that fills the sighting and returns true if the line
// has that form. A line is what OutputLines and without_rank() leave of it.
struct Form {
    const char* name;
    bool (*read)(std::string_view line, Sighting& sighting);
};

bool read_keyed(std::string_view line, Sighting& sighting);       // forms_keyed.cpp
bool read_epoch_word(std::string_view line, Sighting& sighting);  // forms_word.cpp
bool read_epoch_time(std::string_view line, Sighting& sighting);  // forms_word.cpp
bool read_keras_bar(std::string_view line, Sighting& sighting);   // forms_bar.cpp
bool read_tqdm_bar(std::string_view line, Sighting& sighting);    // forms_bar.cpp
bool read_iteration(std::string_view line, Sighting& sighting);   // forms_iteration.cpp

// The sighting of the first form that fits; says nothing if none does.
Sighting read_sighting(std::string_view line);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Bytes of a program's output, made into lines of plain text: LF and CR end a line, escape
// sequences of terminals and other control characters are dropped. Memory is bounded whatever
// comes; what exceeds the longest line is dropped. It does not say what a line means.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace epochcast {

class OutputLines {
  public:
    // The longest line that is looked at, in bytes: forms of interest are far shorter.
    static constexpr std::size_t longest = 2048;

    // A line without its end, and when its last byte came. The view is valid in the call only.
    using Take = std::function<void(std::string_view line, double time_s)>;

    // Gives each line that ends in `bytes`, which came at `time_s`; lines without text are skipped.
    void feed(std::string_view bytes, double time_s, const Take& take);

    // Gives the line that was begun and not ended, if any.
    void flush(const Take& take);

  private:
    enum class State : unsigned char { text, escape, sequence, command, command_escape };
    void put(char c);

    std::string line_;
    double last_byte_s_ = 0;
    State state_ = State::text;
};

}  // namespace epochcast

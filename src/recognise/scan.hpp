// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Reading numbers, durations and keyed values out of a line of text that nobody promised a form
// for. Views; no allocation.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace epochcast {

// A position in a text. Each take… moves past what it found, or does not move.
class Scan {
  public:
    explicit Scan(std::string_view text) : text_(text) {}

    std::size_t at() const { return at_; }
    std::string_view rest() const { return text_.substr(at_); }

    bool take(char c);
    bool take(std::string_view word);
    // Blanks and one of the characters in between, such as ": " or " = ".
    bool take_any(std::string_view characters);
    void skip_blanks();
    std::string_view take_word();               // letters, digits, _ and -; may be empty
    std::optional<std::uint64_t> take_count();  // decimal digits, at most 18
    // 12, 1.5, .5, 1e-3, nan, inf, with a sign; no number out of range.
    std::optional<double> take_number();
    // "12.5 s", "948457.49 ms", "1m 20s", "0m 12s", "1:02:03", "05:17", "898us", "3 min 2 sec".
    // A bare number is no duration.
    std::optional<double> take_duration_s();

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

std::string_view without_blanks(std::string_view text);  // at its start

bool is_letter(char c);
bool is_digit(char c);

// Where `word` (lower case) stands in `text` regardless of case, from `from` on; npos if nowhere.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);

inline bool mentions(std::string_view text, std::string_view word) {
    return find_word(text, word) != std::string_view::npos;
}

// The number behind "key" and one of ": = (" or blanks and quotes, where key (lower case) is not a
// part of a longer word: value_of("loss: 2.5", "loss") is 2.5.
std::optional<double> value_of(std::string_view text, std::string_view key);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/scan.hpp"

#include <charconv>
#include <cmath>

namespace epochcast {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

struct Unit {
    std::string_view name;
    double seconds;
};

// Longer names before their beginnings.
constexpr Unit units[] = {{"microseconds", 1e-6},
                          {"milliseconds", 1e-3},
                          {"seconds", 1},
                          {"second", 1},
                          {"secs", 1},
                          {"sec", 1},
                          {"minutes", 60},
                          {"minute", 60},
                          {"mins", 60},
                          {"min", 60},
                          {"hours", 3600},
                          {"hour", 3600},
                          {"hrs", 3600},
                          {"hr", 3600},
                          {"days", 86400},
                          {"day", 86400},
                          {"us", 1e-6},
                          {"ms", 1e-3},
                          {"s", 1},
                          {"m", 60},
                          {"h", 3600},
                          {"d", 86400}};

std::optional<double> take_unit(Scan& scan) {
    for (const Unit& unit : units) {
        Scan ahead = scan;
        if (!ahead.take(unit.name)) continue;
        const std::string_view rest = ahead.rest();
        if (!rest.empty() && is_letter(rest[0])) continue;
        scan = ahead;
        return unit.seconds;
    }
    return std::nullopt;
}

// "1:02:03.5" or "05:17", from behind the first number.
std::optional<double> take_clock(Scan& scan, double first) {
    double seconds = first;
    int parts = 1;
    while (parts < 4) {
        Scan ahead = scan;
        if (!ahead.take(':') || ahead.rest().empty() || !is_digit(ahead.rest()[0])) break;
        const auto part = ahead.take_number();
        if (!part || *part >= 60) return std::nullopt;
        seconds = seconds * 60 + *part;
        scan = ahead;
        ++parts;
    }
    return parts > 1 ? std::optional(seconds) : std::nullopt;
}

}  // namespace

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_blanks(std::string_view text) {
    const auto start = text.find_first_not_of(' ');
    return start == text.npos ? std::string_view() : text.substr(start);
}

bool Scan::take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

bool Scan::take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
}

bool Scan::take_any(std::string_view characters) {
    Scan ahead = *this;
    ahead.skip_blanks();
    if (ahead.rest().empty() || characters.find(ahead.rest()[0]) == characters.npos) return false;
    ++ahead.at_;
    ahead.skip_blanks();
    *this = ahead;
    return true;
}

void Scan::skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
}

std::string_view Scan::take_word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '-')) ++at_;
    return text_.substr(start, at_ - start);
}

std::optional<std::uint64_t> Scan::take_count() {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == at_ || end - at_ > 18) return std::nullopt;
    std::uint64_t value = 0;
    std::from_chars(text_.data() + at_, text_.data() + end, value);
    at_ = end;
    return value;
}

std::optional<double> Scan::take_number() {
    Scan ahead = *this;
    ahead.take('+');
    const std::string_view text = ahead.rest();
    double value = 0;
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc()) return std::nullopt;
    at_ = ahead.at_ + static_cast<std::size_t>(stop - text.data());
    return value;
}

std::optional<double> Scan::take_duration_s() {
    Scan ahead = *this;
    if (ahead.rest().empty() || !is_digit(ahead.rest()[0])) return std::nullopt;
    double seconds = 0;
    bool has_unit = false;
    // Parts get smaller: 1h 2m 3s.
    for (double last_unit = 1e9;;) {
        Scan part = ahead;
        part.skip_blanks();
        if (part.rest().empty() || !is_digit(part.rest()[0])) break;
        const auto number = part.take_number();
        if (!number || !std::isfinite(*number)) break;
        if (!has_unit) {
            if (const auto clock = take_clock(part, *number)) {
                *this = part;
                return clock;
            }
        }
        part.skip_blanks();
        const auto unit = take_unit(part);
        if (!unit || *unit >= last_unit) break;
        seconds += *number * *unit;
        last_unit = *unit;
        has_unit = true;
        ahead = part;
    }
    if (!has_unit) return std::nullopt;
    *this = ahead;
    return seconds;
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
    for (std::size_t i = from; i + word.size() <= text.size(); ++i) {
        std::size_t same = 0;
        while (same < word.size() && lower(text[i + same]) == word[same]) ++same;
        if (same == word.size()) return i;
    }
    return std::string_view::npos;
}

std::optional<double> value_of(std::string_view text, std::string_view key) {
    for (std::size_t at = find_word(text, key); at != text.npos;
         at = find_word(text, key, at + 1)) {
        if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '-')) continue;
        Scan scan(text.substr(at + key.size()));
        while (scan.take('\'') || scan.take('"')) {
        }
        if (!scan.take_any(":=(") && !scan.rest().starts_with(' ')) continue;
        scan.skip_blanks();
        while (scan.take('\'') || scan.take('"')) {
        }
        if (const auto number = scan.take_number()) return number;
    }
    return std::nullopt;
}

}  // namespace epochcast

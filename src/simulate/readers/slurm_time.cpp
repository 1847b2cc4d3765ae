// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/slurm_time.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string>

#include "core/text.hpp"

namespace epochcast::simulate {

namespace {

constexpr double day_s = 86400;
constexpr double most_days = 1e5;  // longer than any job
constexpr double most_hours = 1e7;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

Error malformed(std::string_view what, std::string_view text, std::string_view expected) {
    return Error{ErrorKind::bad_input,
                 std::string(what) + " " + quoted(text) + " is not " + std::string(expected)};
}

// The two-digit (or four-digit) number at `at`, or -1.
int digits(std::string_view text, std::size_t at, std::size_t count) {
    int value = 0;
    for (const char c : text.substr(at, count)) {
        if (c < '0' || c > '9') return -1;
        value = value * 10 + (c - '0');
    }
    return value;
}

bool has_shape(std::string_view text) {
    constexpr std::string_view shape = "0000-00-00T00:00:00";
    if (text.size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (shape[i] == '0' ? !is_digit : text[i] != shape[i]) return false;
    }
    return true;
}

}  // namespace

Result<std::optional<double>> parse_slurm_time(std::string_view what, std::string_view text) {
    if (is_one_of(text, {"", "None", "Unknown", "N/A"})) return std::optional<double>();
    const Error error = malformed(what, text, "a time such as 2024-04-04T19:29:45");
    if (!has_shape(text)) return error;
    const std::chrono::year_month_day date(
        std::chrono::year(digits(text, 0, 4)),
        std::chrono::month(static_cast<unsigned>(digits(text, 5, 2))),
        std::chrono::day(static_cast<unsigned>(digits(text, 8, 2))));
    const int hour = digits(text, 11, 2);
    const int minute = digits(text, 14, 2);
    const int second = digits(text, 17, 2);
    if (!date.ok() || date.year() < std::chrono::year(1970)) return error;
    if (hour > 23 || minute > 59 || second > 60) return error;  // 60: a leap second
    const auto days = static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
    return std::optional<double>(days * day_s + hour * 3600 + minute * 60 + second);
}

Result<std::optional<double>> parse_slurm_duration(std::string_view what, std::string_view text) {
    if (is_one_of(text,
                  {"", "None", "Unknown", "N/A", "INVALID", "UNLIMITED", "Partition_Limit"})) {
        return std::optional<double>();
    }
    const Error error = malformed(what, text, "a duration such as 1-05:50:00 or 23:08.358");
    double seconds = 0;
    std::string_view clock = text;
    const std::size_t dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto days = parse_number(what, text.substr(0, dash), 0, most_days);
        if (!days) return error;
        seconds = days.value() * day_s;
        clock = text.substr(dash + 1);
    }
    const auto parts = split(clock, ':');
    if (parts.size() < 2 || parts.size() > 3) return error;
    if (dash != std::string_view::npos && parts.size() != 3) return error;
    double unit = parts.size() == 3 ? 3600 : 60;
    for (std::size_t i = 0; i < parts.size(); ++i, unit /= 60) {
        const auto value = parse_number(what, parts[i], 0, i == 0 ? most_hours : 60);
        if (!value) return error;
        seconds += value.value() * unit;
    }
    return std::optional<double>(seconds);
}

}  // namespace epochcast::simulate

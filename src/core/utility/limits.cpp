// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::int64_t day_s = 86400;
constexpr std::int64_t longest_s = 3653 * day_s;  // ten years

Error bad_deadline(std::string_view text, const std::string& what) {
    return Error{ErrorKind::usage,
                 "deadline " + quoted(text) + " " + what +
                     ": give a time from submission such as +8h or +1d12h, or a moment as in RFC "
                     "3339 such as 2026-08-07T18:00:00Z"};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Result<Deadline> parse_relative(std::string_view text) {
    constexpr std::array<std::pair<char, std::int64_t>, 4> units{
        {{'d', day_s}, {'h', 3600}, {'m', 60}, {'s', 1}}};
    std::string_view rest = text.substr(1);
    Deadline deadline{true, 0};
    std::size_t next_unit = 0;
    while (!rest.empty()) {
        const auto end = std::ranges::find_if_not(rest, is_digit);
        const auto digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        const auto count = parse_count("deadline", digits, 0, longest_s);
        if (!count) return bad_deadline(text, "has no number up to ten years where one is needed");
        if (end == rest.end()) return bad_deadline(text, "lacks a unit (d, h, m or s)");
        const auto unit = std::find_if(units.begin() + static_cast<std::ptrdiff_t>(next_unit),
                                       units.end(),
                                       [&](const auto& u) { return u.first == *end; });
        if (unit == units.end()) {
            return bad_deadline(text, "has units other than d, h, m, s in this order");
        }
        next_unit = static_cast<std::size_t>(unit - units.begin()) + 1;
        const auto amount = static_cast<std::int64_t>(count.value());
        if (amount > longest_s / unit->second) return bad_deadline(text, "is over ten years");
        deadline.seconds += amount * unit->second;
        rest.remove_prefix(digits.size() + 1);
    }
    if (deadline.seconds <= 0) return bad_deadline(text, "is no time at all");
    if (deadline.seconds > longest_s) return bad_deadline(text, "is over ten years");
    return deadline;
}

// Days from 1970-01-01 to a day of the Gregorian calendar, by counting years from March so that the
// leap day comes last.
std::int64_t days_since_1970(std::int64_t year, std::int64_t month, std::int64_t day) {
    const std::int64_t y = month > 2 ? year : year - 1;
    const std::int64_t months_from_march = (month + 9) % 12;
    const std::int64_t day_of_year = (153 * months_from_march + 2) / 5 + day - 1;
    // 719468: days from 0000-03-01 to 1970-01-01.
    return y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719468;
}

std::int64_t days_in_month(std::int64_t year, std::int64_t month) {
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month == 2) return is_leap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Reads a text from left to right; every read fails once one has failed.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool failed() const { return failed_; }
    bool at_end() const { return rest_.empty(); }

    // `digits` decimal digits in [min, max].
    std::int64_t count(std::size_t digits, std::int64_t min, std::int64_t max) {
        std::int64_t value = 0;
        const auto head = rest_.substr(0, digits);
        failed_ |= head.size() < digits || !std::ranges::all_of(head, is_digit);
        if (failed_) return min;
        for (const char c : head) value = value * 10 + (c - '0');
        rest_.remove_prefix(digits);
        failed_ |= value < min || value > max;
        return value;
    }

    // One of these characters.
    char one_of(std::string_view allowed) {
        failed_ |= rest_.empty() || allowed.find(rest_.front()) == std::string_view::npos;
        if (failed_) return '\0';
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    void skip_fraction() {
        if (failed_ || rest_.empty() || rest_.front() != '.') return;
        rest_.remove_prefix(1);
        const auto end = std::ranges::find_if_not(rest_, is_digit);
        failed_ |= end == rest_.begin();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
    }

  private:
    std::string_view rest_;
    bool failed_ = false;
};

Result<Deadline> parse_absolute(std::string_view text) {
    Scanner scanner(text);
    const std::int64_t year = scanner.count(4, 1970, 9999);
    scanner.one_of("-");
    const std::int64_t month = scanner.count(2, 1, 12);
    scanner.one_of("-");
    const std::int64_t day = scanner.count(2, 1, days_in_month(year, month));
    scanner.one_of("Tt ");
    const std::int64_t hour = scanner.count(2, 0, 23);
    scanner.one_of(":");
    const std::int64_t minute = scanner.count(2, 0, 59);
    scanner.one_of(":");
    const std::int64_t second = scanner.count(2, 0, 60);
    scanner.skip_fraction();
    const char zone = scanner.one_of("Zz+-");
    std::int64_t offset_s = 0;
    if (zone == '+' || zone == '-') {
        offset_s = scanner.count(2, 0, 23) * 3600;
        scanner.one_of(":");
        offset_s += scanner.count(2, 0, 59) * 60;
    }
    if (scanner.failed() || !scanner.at_end()) return bad_deadline(text, "is not a moment");
    const std::int64_t local =
        days_since_1970(year, month, day) * day_s + hour * 3600 + minute * 60 + second;
    return Deadline{false, local - (zone == '-' ? -offset_s : offset_s)};
}

// Orders known before unknown, then the smaller: negative if a comes first, positive if b does.
int compare(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - std::isnan(b);
    return static_cast<int>(a > b) - static_cast<int>(a < b);
}

double excess(double limit, double value) {
    if (std::isnan(limit)) return 0;
    if (std::isnan(value) || limit <= 0) return std::numeric_limits<double>::infinity();
    return std::max(value / limit - 1, 0.0);
}

}  // namespace

std::string to_text(const Deadline& deadline) {
    if (deadline.is_relative) return "+" + std::to_string(deadline.seconds) + "s";
    const std::int64_t days = deadline.seconds / day_s;
    const std::int64_t second = deadline.seconds % day_s;
    std::int64_t year = 1970 + days / 366;  // never too late, corrected by the calendar
    while (days_since_1970(year + 1, 1, 1) <= days) ++year;
    std::int64_t month = 1;
    while (month < 12 && days_since_1970(year, month + 1, 1) <= days) ++month;
    const std::int64_t day = days - days_since_1970(year, month, 1) + 1;
    char text[32];
    std::snprintf(text,
                  sizeof text,
                  "%04d-%02d-%02dT%02d:%02d:%02dZ",
                  static_cast<int>(year),
                  static_cast<int>(month),
                  static_cast<int>(day),
                  static_cast<int>(second / 3600),
                  static_cast<int>(second / 60 % 60),
                  static_cast<int>(second % 60));
    return text;
}

Result<Deadline> parse_deadline(std::string_view text) {
    return text.starts_with('+') ? parse_relative(text) : parse_absolute(text);
}

double seconds_left(const Deadline& deadline,
                    std::int64_t submitted_unix_s,
                    std::int64_t now_unix_s) {
    const auto from = static_cast<double>(deadline.is_relative ? submitted_unix_s : 0);
    return static_cast<double>(deadline.seconds) + from - static_cast<double>(now_unix_s);
}

Result<double> parse_budget(std::string_view text) {
    return parse_number("budget", text, 1e-6, 1e12);
}

double overrun(const Limits& limits, const Criteria& criteria) {
    return std::max(excess(limits.deadline_s, criteria.time_s),
                    excess(limits.budget, criteria.cost));
}

bool is_better(const Standing& a, const Standing& b) {
    if (std::isnan(a.utility) != std::isnan(b.utility)) return std::isnan(b.utility);
    if (const int order = compare(a.overrun, b.overrun)) return order < 0;
    if (const int order = compare(-a.utility, -b.utility)) return order < 0;
    if (const int order = compare(a.cost, b.cost)) return order < 0;
    return compare(a.time_s, b.time_s) < 0;
}

}  // namespace epochcast

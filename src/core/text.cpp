// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/text.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace epochcast {

namespace {

std::string out_of_range(std::string_view what,
                         std::string_view text,
                         const std::string& min,
                         const std::string& max) {
    return std::string(what) + " " + quoted(text) + " is not allowed: give a number from " + min +
           " to " + max;
}

std::string number_text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return buffer;
}

std::string format(const char* pattern, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, pattern, value);
    return buffer;
}

std::string format_pair(const char* pattern, long first, long second) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, pattern, first, second);
    return buffer;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    std::size_t length = 0;
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) length = 2;
    if (first >= 0xE0 && first <= 0xEF) length = 3;
    if (first >= 0xF0 && first <= 0xF4) length = 4;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return length;
}

std::string quoted(std::string_view hostile, std::size_t max_bytes) {
    std::string shown = "'";
    std::size_t i = 0;
    while (i < hostile.size() && i < max_bytes) {
        const std::size_t length = utf8_length(hostile.substr(i));
        const auto byte = static_cast<unsigned char>(hostile[i]);
        // U+0080 to U+009F are control characters that some terminals obey.
        const bool is_c1 =
            length == 2 && byte == 0xC2 && static_cast<unsigned char>(hostile[i + 1]) < 0xA0;
        if (length == 0 || is_c1 || byte < 0x20 || byte == 0x7F || byte == '\'' || byte == '\\') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\x%02x", byte);
            shown += escape;
            ++i;
            continue;
        }
        shown.append(hostile.substr(i, length));
        i += length;
    }
    shown += "'";
    if (i < hostile.size()) shown += "... (" + std::to_string(hostile.size()) + " bytes)";
    return shown;
}

Result<std::uint64_t> parse_count(std::string_view what,
                                  std::string_view text,
                                  std::uint64_t min,
                                  std::uint64_t max) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status == std::errc() && end == text.data() + text.size() && value >= min && value <= max) {
        return value;
    }
    return Error{ErrorKind::usage,
                 std::string(what) + " " + quoted(text) +
                     " is not allowed: give a whole number from " + std::to_string(min) + " to " +
                     std::to_string(max)};
}

Result<double> parse_number(std::string_view what, std::string_view text, double min, double max) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole_text = status == std::errc() && end == text.data() + text.size();
    if (is_whole_text && std::isfinite(value) && value >= min && value <= max) return value;
    return Error{ErrorKind::usage, out_of_range(what, text, number_text(min), number_text(max))};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t at = text.find(separator);
        pieces.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return pieces;
        text.remove_prefix(at + 1);
    }
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string human_duration(double seconds) {
    if (!std::isfinite(seconds)) return "unknown";
    if (seconds < 0) return "-" + human_duration(-seconds);
    if (seconds < 0.9995) return format("%.0f ms", seconds * 1e3);
    if (seconds < 9.995) return format("%.2f s", seconds);
    if (seconds < 99.95) return format("%.1f s", seconds);
    if (seconds >= 1e11) return format("%.1e s", seconds);
    const long whole = std::lround(seconds);
    if (whole < 3600) return format_pair("%ld min %02ld s", whole / 60, whole % 60);
    if (whole < 86400) return format_pair("%ld h %02ld min", whole / 3600, whole % 3600 / 60);
    return format_pair("%ld d %02ld h", whole / 86400, whole % 86400 / 3600);
}

std::string human_bytes(double bytes) {
    if (!std::isfinite(bytes)) return "unknown";
    constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1024 && unit + 1 < std::size(units)) {
        bytes /= 1024;
        ++unit;
    }
    return format(unit == 0 ? "%.0f " : "%.1f ", bytes) + units[unit];
}

}  // namespace epochcast

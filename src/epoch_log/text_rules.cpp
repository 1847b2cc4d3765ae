// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/text_rules.hpp"

#include <algorithm>

#include "core/task.hpp"
#include "core/text.hpp"

namespace epochcast {
namespace {

bool is_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("._+@-").find(c) != std::string_view::npos;
}

// epochcast::quoted() escapes exactly what is not plain, and quotes and backslashes besides.
bool is_plain(std::string_view text) {
    std::string probe(text);
    std::ranges::replace_if(
        probe, [](char c) { return c == '\'' || c == '\\'; }, '_');
    return epochcast::quoted(probe, probe.size()) == "'" + probe + "'";
}

}  // namespace

std::optional<std::string> objection(std::string_view text, TextRule rule, std::size_t max_bytes) {
    if (rule == TextRule::free) {
        return std::nullopt;
    }
    if (text.size() > max_bytes) {
        return "is longer than " + std::to_string(max_bytes) + " bytes";
    }
    if (rule != TextRule::plain && text.empty()) {
        return "is empty";
    }
    if (rule == TextRule::name &&
        (text.front() == '.' || !std::ranges::all_of(text, is_name_character))) {
        return "has other characters than A-Z a-z 0-9 . _ + @ - or begins with a dot";
    }
    if (rule == TextRule::task_name && !parse_task_name(text)) {
        return "has other characters than A-Z a-z 0-9 . _ + / @ -";
    }
    if (!is_plain(text)) {
        return "has control characters or is not UTF-8";
    }
    return std::nullopt;
}

std::string made_plain(std::string_view text, std::size_t max_bytes) {
    std::size_t end = std::min(text.size(), max_bytes);
    // Bytes 10xxxxxx continue a character: step back to where one begins.
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
        --end;
    }
    std::string plain(text.substr(0, end));
    if (!is_plain(plain)) {
        std::ranges::replace_if(
            plain, [](char c) { return c < 0x20 || c > 0x7E; }, '?');
    }
    return plain;
}

}  // namespace epochcast

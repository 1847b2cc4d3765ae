// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/task.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::size_t max_task_name = 128;

bool is_task_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("._+/@-").find(c) != std::string_view::npos;
}

}  // namespace

std::string user_scope(std::uint32_t uid) { return "user:" + std::to_string(uid); }

Result<std::string> parse_task_name(std::string_view text) {
    const bool has_good_size = !text.empty() && text.size() <= max_task_name;
    if (has_good_size && std::ranges::all_of(text, is_task_character)) return std::string(text);
    return Error{ErrorKind::usage,
                 "task name " + quoted(text) +
                     " is not allowed: give 1 to 128 of the characters A-Z a-z 0-9 . _ + / @ -"};
}

}  // namespace epochcast

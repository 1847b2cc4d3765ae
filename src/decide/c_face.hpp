// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What every function of the C face needs: nothing may be thrown through a C caller, slurmctld
// above all, and texts go into buffers of the caller.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace epochcast {

// What body() returns, or `fallback` if it throws (out of memory, at worst).
template <class Value, class Body>
Value guarded(Value fallback, Body body) noexcept {
    try {
        return body();
    } catch (...) {
        return fallback;
    }
}

// Copies as much of the text as fits with a terminator, not cutting a UTF-8 character in two.
// A null buffer or size 0 takes nothing.
inline void copy_text(char* buffer, std::size_t size, std::string_view text) noexcept {
    if (buffer == nullptr || size == 0) return;
    std::size_t length = std::min(text.size(), size - 1);
    const auto continues_at = [&](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    };
    if (length < text.size()) {
        while (length > 0 && continues_at(length)) --length;
    }
    if (length > 0) std::memcpy(buffer, text.data(), length);  // an empty text may have no data
    buffer[length] = '\0';
}

// The text in a buffer of fixed size, whether it is terminated or not.
template <std::size_t size>
std::string_view text_in(const char (&buffer)[size]) noexcept {
    return {buffer, ::strnlen(buffer, size)};
}

// The text, "" for null.
inline std::string_view text_or_empty(const char* text) noexcept {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

}  // namespace epochcast

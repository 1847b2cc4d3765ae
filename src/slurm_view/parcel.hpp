// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Numbers and texts as bytes, for a pipe between two processes of the same program.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace epochcast {

class ParcelWriter {
  public:
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void put(Number value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void put(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        bytes_ += text;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

// Reads in the order of writing. What is not there reads as 0 or "", and complete() is false.
class ParcelReader {
  public:
    explicit ParcelReader(std::string_view bytes) : rest_(bytes) {}

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void take(Number& value) {
        value = {};
        const std::string_view bytes = cut(sizeof value);
        if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    }
    void take(std::string& text) {
        std::uint64_t size = 0;
        take(size);
        text = cut(size);
    }
    // Nothing was missing, and nothing is left.
    bool complete() const { return is_whole_ && rest_.empty(); }
    bool is_whole() const { return is_whole_; }

  private:
    std::string_view cut(std::uint64_t size) {
        if (size > rest_.size()) {
            is_whole_ = false;
            return {};
        }
        const std::string_view bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return bytes;
    }

    std::string_view rest_;
    bool is_whole_ = true;
};

}  // namespace epochcast

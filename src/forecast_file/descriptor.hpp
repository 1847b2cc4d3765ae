// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// An open file that is closed when it goes out of scope.

#include <unistd.h>
#include <utility>

namespace epochcast {

class Descriptor {
  public:
    // Owns `number`; negative: what open() returned when it failed.
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }

  private:
    int number_;
};

}  // namespace epochcast

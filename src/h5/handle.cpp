// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/handle.hpp"

#include <utility>

#include "h5/call.hpp"

namespace epochcast::h5 {

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
    if (this != &other) {
        close();
        id_ = std::exchange(other.id_, -1);
        close_ = other.close_;
    }
    return *this;
}

Handle::~Handle() { close(); }

bool Handle::close() {
    if (!is_open()) {
        return true;
    }
    const Call call;
    return close_(std::exchange(id_, -1)) >= 0;
}

}  // namespace epochcast::h5

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Waiting for what another thread or process does.

#include <chrono>
#include <thread>

namespace epochcast {

// True as soon as claim() holds; false if it does not within the time, which only a failure takes.
template <class Claim>
bool eventually(Claim claim, std::chrono::milliseconds within = std::chrono::seconds(10)) {
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!claim()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Sleeping on a word in memory shared between processes, without using CPU.

#include <cstdint>

#include "store/board.hpp"

namespace epochcast::runtime {

// Returns when the word may differ from `seen`, after `timeout_ms` milliseconds (negative: no
// limit), or on a signal. The caller looks at the word again.
void wait_while_equal(const Word& word, std::uint32_t seen, int timeout_ms);

// Adds one and wakes everybody who waits.
void raise(Word& word);

// Wakes everybody who waits, after the caller stored a new value.
void wake(Word& word);

}  // namespace epochcast::runtime

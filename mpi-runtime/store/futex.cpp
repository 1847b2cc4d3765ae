// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "store/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace epochcast::runtime {

void wait_while_equal(const Word& word, std::uint32_t seen, int timeout_ms) {
    timespec limit{timeout_ms / 1000, (timeout_ms % 1000) * 1'000'000L};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, timeout_ms < 0 ? nullptr : &limit, nullptr, 0);
}

void raise(Word& word) {
    word.fetch_add(1, std::memory_order_release);
    wake(word);
}

void wake(Word& word) { syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

}  // namespace epochcast::runtime

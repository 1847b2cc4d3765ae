// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "store/futex.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace epochcast::runtime {
namespace {

TEST(Futex, a_raised_word_ends_the_wait) {
    Word word{0};
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        raise(word);
    });
    while (word.load() == 0) {
        wait_while_equal(word, 0, -1);
    }
    EXPECT_EQ(word.load(), 1U);
    other.join();
}

TEST(Futex, a_word_that_changed_before_is_not_waited_for) {
    Word word{5};
    wait_while_equal(word, 4, -1);  // would never end otherwise
    EXPECT_EQ(word.load(), 5U);
}

TEST(Futex, a_wait_ends_at_its_limit) {
    const Word word{0};
    const auto start = std::chrono::steady_clock::now();
    wait_while_equal(word, 0, 20);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(19));
}

}  // namespace
}  // namespace epochcast::runtime

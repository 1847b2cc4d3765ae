// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a fuzzer is made of. It aborts where a promise of the tested function is broken.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Well-formed inputs, and some that are nearly so: what the mutations begin from.
std::vector<std::string> fuzz_seeds();

// Ends the process with the broken promise, unless it is kept.
inline void promise(bool is_kept, const char* what) {
    if (is_kept) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

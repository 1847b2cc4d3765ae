// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Stands between the shim and epochcast_rank(), by the linker's --wrap, and does what the file that
// EPOCHCAST_FAULT names says:
//   throw    an exception
//   stall    a second of work before the answer
//   garbage  an answer within the contract's bounds that makes no sense
// Without the file, or with another word in it, the call goes through.

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "decide/epochcast_decide.h"

extern "C" {

__typeof__(epochcast_rank) __real_epochcast_rank;
__typeof__(epochcast_rank) __wrap_epochcast_rank;

uint32_t __wrap_epochcast_rank(const epochcast_table_t* table,
                               const epochcast_job_t* job,
                               const epochcast_offer_t* offers,
                               epochcast_choice_t* choices,
                               uint32_t* count) {
    char word[16] = "";
    const char* path = std::getenv("EPOCHCAST_FAULT");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        if (read(file, word, sizeof word - 1) < 0) word[0] = '\0';
        close(file);
    }
    if (!std::strncmp(word, "throw", 5)) throw std::runtime_error("injected");
    if (!std::strncmp(word, "stall", 5)) std::this_thread::sleep_for(std::chrono::seconds(1));
    uint32_t rankable = __real_epochcast_rank(table, job, offers, choices, count);
    if (!std::strncmp(word, "garbage", 7)) {
        for (uint32_t i = 0; i < *count; ++i) {
            choices[i].class_index = i % 2 ? UINT32_MAX : 0;
            choices[i].utility = choices[i].time_s = std::nan("");
            choices[i].nodes = i;
            choices[i].devices_per_node = UINT32_MAX;
        }
        rankable = *count;
    }
    return rankable;
}

}  // extern "C"

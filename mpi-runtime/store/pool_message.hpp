// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What agent and zygote say to each other over a SOCK_SEQPACKET pair, one struct per packet, and
// the start of the worker program.

#include <cstdint>

namespace epochcast::runtime {

// Descriptors that the worker program finds open. Its arguments are model, channels, height, width,
// classes, seed, samples per micro-batch.
inline constexpr int pool_socket_fd = 3;
inline constexpr int pool_memory_fd = 4;
inline constexpr const char* worker_program = "epochcast-train-worker";

// From the agent. End of file means: kill the workers and end.
struct PoolRequest {
    enum class Kind : std::uint32_t { map_board = 1, start_worker = 2 };
    Kind kind = Kind::map_board;
    std::uint32_t worker = 0;
};

// From the zygote.
struct PoolEvent {
    enum class Kind : std::uint32_t {
        ready = 1,  // the model is built and warm: parameters and floats are set
        mapped,     // the initial parameters and statistics are on the board
        started,    // worker, pid
        died,       // worker, pid, wait_status as of waitpid()
        failed,     // text says why; the zygote ends
    };
    Kind kind = Kind::ready;
    std::uint32_t worker = 0;
    std::int32_t pid = 0;
    std::int32_t wait_status = 0;
    std::uint64_t parameters = 0;
    std::uint64_t parameter_floats = 0;
    std::uint64_t statistic_floats = 0;
    char text[256] = {};  // null-terminated
};

}  // namespace epochcast::runtime

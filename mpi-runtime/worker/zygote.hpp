// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The zygote: a process with one thread that has libtorch loaded and the model warm, and forks
// workers from that state in milliseconds. It knows no MPI. It ends with its agent.

#include <cstdint>

#include "job/model_spec.hpp"

namespace epochcast::runtime {

// Talks over pool_socket_fd until the agent closes it. Returns the exit code of the process.
int run_zygote(const ModelSpec& spec, std::uint64_t seed, std::uint32_t micro_batch);

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The agent's end of its zygote: starts it, asks it, hears from it, and ends it.

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "job/model_spec.hpp"
#include "store/pool_message.hpp"

namespace epochcast::runtime {

class ZygoteLink {
  public:
    // Starts the worker program and returns at once. `memory` is the board's descriptor. Must be
    // called before MPI_Init and before this process has a second thread. Errors: environment.
    static Result<ZygoteLink> launch(const ModelSpec& spec,
                                     std::uint64_t parameter_seed,
                                     std::uint32_t micro_batch,
                                     int memory);

    ZygoteLink(ZygoteLink&& other) noexcept;
    ZygoteLink& operator=(ZygoteLink&&) = delete;
    ~ZygoteLink();  // ends the zygote and all its workers

    // Errors: environment (the zygote is gone, and how it ended).
    Result<void> ask(const PoolRequest& request);
    // The next event; waits for it if `wait`, else nothing if there is none yet. Errors:
    // environment (the zygote is gone, or says that it failed).
    Result<std::optional<PoolEvent>> next_event(bool wait);

    int pid() const { return pid_; }

  private:
    ZygoteLink(int socket, int pid) : socket_(socket), pid_(pid) {}
    Error gone();

    int socket_ = -1;
    int pid_ = -1;
};

// "was ended by signal 9 (Killed)" or "ended with exit code 1", from a status of waitpid().
std::string ending_of(int wait_status);

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A node's workers as its agent sees them: started before MPI, given tasks, started again when they
// die. A task whose worker died is done again by another one; its result is the same.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "agent/zygote_link.hpp"
#include "core/result.hpp"
#include "job/model_spec.hpp"
#include "store/board.hpp"
#include "store/pool_message.hpp"
#include "store/shared_memory.hpp"

namespace epochcast::runtime {

// A task and the samples it is about; `samples` must stay valid until the task is done.
struct PoolTask {
    Task task;
    std::span<const std::uint32_t> samples;
};

// The end of a pool is the end of all its processes.
class WorkerPool {
  public:
    // Starts the zygote and returns at once; it loads libtorch meanwhile. Must be called before
    // MPI_Init and before this process has a second thread. Errors: environment.
    static Result<WorkerPool> launch(const ModelSpec& spec,
                                     std::uint64_t parameter_seed,
                                     std::uint32_t micro_batch);

    // Waits until the model is built and warm. Errors: environment (the zygote failed: why).
    Result<ModelSize> model_size();

    // Makes the board, with the model's initial state on it, and starts the workers. Call once,
    // after model_size(). Errors: environment.
    Result<Board> open_board(const BoardPlan& plan);

    // Does all tasks, in any order, each exactly once. Errors: environment (the zygote is gone; a
    // worker reported an error; one task's workers died max_attempts times).
    Result<void> run(std::span<PoolTask> tasks);

    // The zygote and the workers that are alive.
    std::vector<int> pids() const;
    // Workers that died and were started again.
    std::uint64_t deaths() const { return deaths_; }

    static constexpr std::uint32_t max_attempts = 5;

  private:
    enum class WorkerState { starting, idle, busy };
    struct Worker {
        WorkerState state = WorkerState::starting;
        int pid = 0;
        std::size_t task = 0;  // while busy
    };

    WorkerPool(ZygoteLink zygote, SharedMemory memory)
        : memory_(std::move(memory)), zygote_(std::move(zygote)) {}
    Result<void> start_worker(std::uint32_t worker);
    Result<void> take_events();
    Result<void> take_death(const PoolEvent& event);
    void assign(std::uint32_t worker, std::span<PoolTask> tasks);
    Result<void> collect(std::uint32_t worker);

    SharedMemory memory_;
    ZygoteLink zygote_;  // ends before the memory does
    Board board_;
    std::vector<Worker> workers_;
    std::vector<std::size_t> waiting_;  // tasks to assign, the next one last
    std::vector<std::uint32_t> attempts_;
    std::uint64_t deaths_ = 0;
    std::uint32_t idle_deaths_ = 0;  // since the last result
};

}  // namespace epochcast::runtime

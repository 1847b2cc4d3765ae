// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/worker_pool.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>
#include <utility>

#include "store/futex.hpp"

namespace epochcast::runtime {

namespace {

// How long the agent sleeps at most before it looks whether the zygote is still there.
constexpr int zygote_check_ms = 500;

// Workers may die without a task this often between two results before the agent gives up.
constexpr std::uint32_t max_idle_deaths = 20;

}  // namespace

Result<WorkerPool> WorkerPool::launch(const ModelSpec& spec,
                                      std::uint64_t parameter_seed,
                                      std::uint32_t micro_batch) {
    auto memory = SharedMemory::create();
    if (!memory.ok()) {
        return memory.error();
    }
    auto zygote = ZygoteLink::launch(spec, parameter_seed, micro_batch, memory.value().fd());
    if (!zygote.ok()) {
        return zygote.error();
    }
    return WorkerPool(std::move(zygote).value(), std::move(memory).value());
}

Result<ModelSize> WorkerPool::model_size() {
    const auto event = zygote_.next_event(true);
    if (!event.ok()) {
        return event.error();
    }
    assert(event.value()->kind == PoolEvent::Kind::ready);
    return ModelSize{event.value()->parameters,
                     event.value()->parameter_floats,
                     event.value()->statistic_floats};
}

Result<Board> WorkerPool::open_board(const BoardPlan& plan) {
    if (auto resized = memory_.resize(plan.total_bytes); !resized.ok()) {
        return resized.error();
    }
    auto base = memory_.map();
    if (!base.ok()) {
        return base.error();
    }
    board_ = Board::format(base.value(), plan);
    if (auto asked = zygote_.ask({PoolRequest::Kind::map_board, 0}); !asked.ok()) {
        return asked.error();
    }
    if (const auto mapped = zygote_.next_event(true); !mapped.ok()) {
        return mapped.error();
    }
    workers_.resize(plan.size.workers);
    for (std::uint32_t worker = 0; worker < plan.size.workers; ++worker) {
        if (auto started = start_worker(worker); !started.ok()) {
            return started.error();
        }
    }
    return board_;
}

Result<void> WorkerPool::start_worker(std::uint32_t worker) {
    workers_[worker] = Worker{};
    // A new worker takes everything up to `done` as old, so the task that its predecessor died of
    // must not look new.
    Slot& slot = board_.slot(worker);
    slot.request.store(slot.done.load(std::memory_order_acquire), std::memory_order_release);
    return zygote_.ask({PoolRequest::Kind::start_worker, worker});
}

Result<void> WorkerPool::take_death(const PoolEvent& event) {
    Worker& worker = workers_[event.worker];
    ++deaths_;
    if (worker.state == WorkerState::busy) {
        const std::size_t task = worker.task;
        if (attempts_[task] >= max_attempts) {
            return Error{ErrorKind::environment,
                         "a micro-batch failed " + std::to_string(max_attempts) +
                             " times; the last worker " + ending_of(event.wait_status)};
        }
        waiting_.push_back(task);
    } else if (++idle_deaths_ > max_idle_deaths) {
        return Error{
            ErrorKind::environment,
            "workers die before they take a task; the last one " + ending_of(event.wait_status)};
    }
    return start_worker(event.worker);
}

Result<void> WorkerPool::take_events() {
    for (;;) {
        const auto event = zygote_.next_event(false);
        if (!event.ok()) {
            return event.error();
        }
        if (!event.value()) {
            return {};
        }
        if (event.value()->kind == PoolEvent::Kind::started) {
            workers_[event.value()->worker].pid = event.value()->pid;
            workers_[event.value()->worker].state = WorkerState::idle;
        } else if (event.value()->kind == PoolEvent::Kind::died) {
            // Its last task may be complete nevertheless.
            if (auto collected = collect(event.value()->worker); !collected.ok()) {
                return collected;
            }
            if (auto taken = take_death(*event.value()); !taken.ok()) {
                return taken;
            }
        }
    }
}

void WorkerPool::assign(std::uint32_t index, std::span<PoolTask> tasks) {
    Worker& worker = workers_[index];
    worker.task = waiting_.back();
    waiting_.pop_back();
    worker.state = WorkerState::busy;
    const PoolTask& chosen = tasks[worker.task];
    Slot& slot = board_.slot(index);
    slot.task = chosen.task;
    slot.task.samples = static_cast<std::uint32_t>(chosen.samples.size());
    slot.task.attempt = attempts_[worker.task]++;
    std::copy(chosen.samples.begin(), chosen.samples.end(), board_.indices(index).begin());
    raise(slot.request);
}

// Takes the result of a worker that has one.
Result<void> WorkerPool::collect(std::uint32_t index) {
    Worker& worker = workers_[index];
    const Slot& slot = board_.slot(index);
    if (worker.state != WorkerState::busy ||
        slot.done.load(std::memory_order_acquire) != slot.request.load(std::memory_order_relaxed)) {
        return {};
    }
    worker.state = WorkerState::idle;
    idle_deaths_ = 0;
    if (slot.status == TaskStatus::failed) {
        return Error{ErrorKind::environment,
                     "a worker could not compute a micro-batch: " + std::string(slot.error)};
    }
    return {};
}

Result<void> WorkerPool::run(std::span<PoolTask> tasks) {
    waiting_.resize(tasks.size());
    std::iota(waiting_.rbegin(), waiting_.rend(), std::size_t{0});
    attempts_.assign(tasks.size(), 0);
    const auto is_busy = [](const Worker& worker) { return worker.state == WorkerState::busy; };
    const Word& bell = board_.header().bell;
    for (;;) {
        const std::uint32_t heard = bell.load(std::memory_order_acquire);
        if (auto taken = take_events(); !taken.ok()) {
            return taken;
        }
        for (std::uint32_t worker = 0; worker < workers_.size(); ++worker) {
            if (auto collected = collect(worker); !collected.ok()) {
                return collected;
            }
            if (workers_[worker].state == WorkerState::idle && !waiting_.empty()) {
                assign(worker, tasks);
            }
        }
        if (waiting_.empty() && std::ranges::none_of(workers_, is_busy)) {
            return {};
        }
        wait_while_equal(bell, heard, zygote_check_ms);
    }
}

std::vector<int> WorkerPool::pids() const {
    std::vector<int> pids{zygote_.pid()};
    for (const Worker& worker : workers_) {
        if (worker.pid > 0) {
            pids.push_back(worker.pid);
        }
    }
    return pids;
}

}  // namespace epochcast::runtime

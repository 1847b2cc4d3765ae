// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A thread for the files that slurmctld's own threads must not touch. It blocks all signals, which
// are slurmctld's, and what its work throws ends there.

#include <unistd.h>
#include <chrono>
#include <functional>
#include <thread>

namespace epochcast {

class BackgroundThread {
  public:
    // Runs `work` at once and then every `period` on a thread named `name` (at most 15 bytes).
    // Throws std::system_error if the machine gives no thread or descriptor.
    BackgroundThread(const char* name,
                     std::chrono::milliseconds period,
                     std::function<void()> work);
    BackgroundThread(const BackgroundThread&) = delete;
    BackgroundThread& operator=(const BackgroundThread&) = delete;
    // Waits for the work at hand, not for the period.
    ~BackgroundThread();

    // False in a child that was forked from the process that started the thread: there the thread
    // does not exist, and destroying this object would wait for it forever.
    bool is_ours() const { return process_ == ::getpid(); }

  private:
    void run(std::chrono::milliseconds period) noexcept;

    std::function<void()> work_;
    pid_t process_;
    int stop_event_;
    std::thread thread_;
};

}  // namespace epochcast

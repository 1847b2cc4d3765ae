// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/background_thread.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace epochcast {

namespace {

// All signals are blocked in this thread, and in those that it starts, while this lives.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

BackgroundThread::BackgroundThread(const char* name,
                                   std::chrono::milliseconds period,
                                   std::function<void()> work)
    : work_(std::move(work)), process_(::getpid()), stop_event_(::eventfd(0, EFD_CLOEXEC)) {
    if (stop_event_ < 0) throw std::system_error(errno, std::generic_category());
    const SignalsBlocked blocked;
    try {
        thread_ = std::thread([this, period] { run(period); });
    } catch (...) {
        ::close(stop_event_);
        throw;
    }
    pthread_setname_np(thread_.native_handle(), name);
}

BackgroundThread::~BackgroundThread() {
    eventfd_write(stop_event_, 1);
    thread_.join();
    ::close(stop_event_);
}

void BackgroundThread::run(std::chrono::milliseconds period) noexcept {
    pollfd stop{stop_event_, POLLIN, 0};
    do {
        try {
            work_();
        } catch (...) {
            // Out of memory, at worst: the next round may have some.
        }
    } while (::poll(&stop, 1, static_cast<int>(period.count())) <= 0);
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/stop_signal.hpp"

#include <csignal>
#include <initializer_list>

namespace epochcast::runtime {

namespace {

volatile std::sig_atomic_t received = 0;

void remember(int number) { received = number; }

}  // namespace

void watch_stop_signals() {
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGTERM, SIGUSR2, SIGINT}) {
        sigaction(number, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);  // a reader of the progress lines may go away
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
}

int stop_signal() { return received; }

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/signal_relay.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/signalfd.h>
#include <unistd.h>

namespace epochcast {

namespace {

constexpr int handed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

bool is_ignored(int signal) {
    struct sigaction action {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// slurmstepd signals every process of a step, the program included. (In a batch script, which is
// no step of srun's, it signals the script alone.)
bool reached_program_too(const signalfd_siginfo& info, bool own_session) {
    const bool is_from_terminal = info.ssi_code == SI_KERNEL;
    if (is_from_terminal) return !own_session;
    if (std::getenv("SLURM_STEP_ID") == nullptr) return false;
    std::ifstream file("/proc/" + std::to_string(info.ssi_pid) + "/comm");
    std::string name;
    std::getline(file, name);
    return name == "slurmstepd";
}

}  // namespace

SignalRelay::SignalRelay() {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGWINCH);
    for (const int signal : handed_on) {
        if (!is_ignored(signal)) sigaddset(&wanted, signal);
    }
    ::sigprocmask(SIG_BLOCK, &wanted, &before_);
    file_ = OwnedFd(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
    // Who reads our output may leave before the program ends.
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &pipe_before_);
}

SignalRelay::~SignalRelay() { restore(); }

void SignalRelay::restore() const {
    ::sigaction(SIGPIPE, &pipe_before_, nullptr);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

SignalRelay::News SignalRelay::relay(int pid, bool own_session) {
    News news;
    signalfd_siginfo info{};
    while (::read(fd(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        const int signal = static_cast<int>(info.ssi_signo);
        if (signal == SIGCHLD) {
            news.child_changed = true;
        } else if (signal == SIGWINCH) {
            news.window_changed = true;
        } else if (!reached_program_too(info, own_session)) {
            ::kill(pid, signal);
        }
    }
    return news;
}

}  // namespace epochcast

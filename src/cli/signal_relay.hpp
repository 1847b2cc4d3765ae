// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Signals that reach us while we run a program, so that they can be handed on to it once: not those
// that the terminal or Slurm already sent to it as well.

#include <csignal>

#include "cli/output_path.hpp"

namespace epochcast {

class SignalRelay {
  public:
    // From now on signals wait here; those that are ignored stay ignored.
    SignalRelay();
    ~SignalRelay();
    SignalRelay(const SignalRelay&) = delete;
    SignalRelay& operator=(const SignalRelay&) = delete;

    // In the child, between fork and exec: signals as we found them.
    void restore() const;

    int fd() const { return file_.fd(); }  // readable when signals wait

    struct News {
        bool child_changed = false;  // one of our children ended or stopped
        bool window_changed = false;
    };
    // Hands on what waits. own_session: the program does not share our terminal.
    News relay(int pid, bool own_session);

  private:
    sigset_t before_ = {};
    struct sigaction pipe_before_ = {};
    OwnedFd file_;
};

}  // namespace epochcast

// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Starts of slurmctld that have not proved healthy yet, as empty files in one folder: a start puts
// its mark there and takes it away when it ends in order, reads slurm.conf again, or has run for a
// while. A mark whose process is gone is therefore a crash. One file per start, so two slurmctld
// that live at once (>= 23.11 reconfigures by a new process; a backup controller shares the folder)
// need no lock and cannot spoil each other's.
//
// Knows nothing of Slurm, never throws, and never fails its caller: a folder that cannot be read or
// written means no crashes are known.

#include <sys/types.h>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <string>

namespace epochcast::slurm {

// Two crashed starts this close to each other are too many.
inline constexpr std::time_t crash_window_s = 600;
// A start that ran for so long is healthy.
inline constexpr std::time_t healthy_after_s = 300;

class StartMarks {
  public:
    // For the calling process on `host`. `dir` is created by the first add().
    StartMarks(const char* dir, const char* host) noexcept;

    // Whether two starts of this host crashed within crash_window_s of each other. Marks that can
    // never be part of that are removed; those of other hosts are theirs.
    bool crashed_twice(std::time_t now_unix_s) const noexcept;

    // Puts this process's mark there. Returns 0 or errno.
    int add(std::time_t now_unix_s) noexcept;
    // Takes it away: no crash. Calls system functions only, so that it may run while the process
    // exits. Nothing in a forked child.
    void remove() noexcept;
    // Takes away all marks of this host: what happened before no longer counts.
    void remove_all() noexcept;

    const char* dir() const noexcept { return dir_; }

  private:
    char dir_[768] = {};
    char host_[65] = {};
    char own_path_[1024] = {};  // of the mark that add() made
    std::atomic<bool> is_marked_{false};
    const pid_t process_;
};

// When a process started, in clock ticks since boot: a number given anew differs in it. 0: there is
// no such process, or only its exit status is left.
uint64_t process_start_ticks(pid_t process) noexcept;

}  // namespace epochcast::slurm

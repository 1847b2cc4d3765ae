// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Whether the shim steers in this slurmctld at all, from init() to the end of the process: not
// after two crashes within ten minutes (start_marks.hpp). Standing aside means that the plugin
// stays loaded and forwards everything, which works however it was put in slurmctld's way. A thread
// of its own notes health and says in <StateSaveLocation>/epochcast/state what holds, for
// `epochcast doctor`.

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "common/slurm_version.hpp"
#include "decide/background_thread.hpp"
#include "select/shim.hpp"
#include "select/start_marks.hpp"

namespace epochcast::slurm {

class Duty {
  public:
    // In slurmctld only. Steers with the forecast files of `forecast_dir`, or stands aside; logs
    // which and why where that needs attention. Throws std::bad_alloc, std::system_error.
    Duty(JobTestFunction stock_job_test, const char* forecast_dir);

    // Null: forward. Called by one job_test at a time.
    Shim* shim() const noexcept { return shim_.load(std::memory_order_acquire); }

    // slurm.conf is being read, at the start and at every reconfigure that keeps the process. Any
    // but the first one makes the shim steer again.
    void slurm_conf_is_read() noexcept;

    // This process ends in order. May be called while it exits, by any thread.
    void ends_in_order() noexcept { marks_.remove(); }

  private:
    void go_on_duty();
    void look();
    void write_state() const;

    const JobTestFunction stock_;
    const std::string forecast_dir_;
    StartMarks marks_;
    std::unique_ptr<Shim> owned_;  // made once, by init() or by the thread
    std::atomic<Shim*> shim_{nullptr};
    std::atomic<int> readings_{0};  // of slurm.conf, by this process
    int readings_seen_ = 1;         // the first one belongs to the start
    uint64_t on_duty_ns_ = 0;       // since when it steers, monotonic
    bool is_marked_ = false;        // as a start that may still crash
    bool is_state_written_ = false;
    std::optional<BackgroundThread> thread_;  // last: it uses all of the above
};

}  // namespace epochcast::slurm

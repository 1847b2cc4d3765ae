// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What the shim does in slurmctld. job_test() looks up private memory, sets node weights for the
// duration of the stock function and puts them back; it does no I/O, takes no lock, waits for
// nothing.

#include <atomic>
#include <vector>

#include "select/breaker.hpp"
#include "select/candidates.hpp"
#include "select/node_weights.hpp"
#include "select/own_time.hpp"
#include "select/plan.hpp"
#include "select/recorder.hpp"

namespace epochcast::slurm {

class Shim {
  public:
    // Starts to watch the forecast files in `dir`. Throws std::bad_alloc.
    Shim(JobTestFunction stock_job_test, const char* dir);
    // Stops its threads. slurmctld as it is usually built exits without coming here.
    ~Shim();
    Shim(const Shim&) = delete;
    Shim& operator=(const Shim&) = delete;

    // Instead of the stock select_p_job_test(), with the same meaning of arguments and result.
    // Slurm calls it with its job and node tables locked for writing, hence one call at a time.
    int job_test(const JobTest& test) noexcept;

  private:
    int steer_or_forward(const JobTest& test, const epochcast_options_t& options) noexcept;
    Plan make_plan(const JobTest& test, const epochcast_options_t& options);
    int carry_out(const JobTest& test);
    int try_one_class(const JobTest& test, int32_t node_class);
    void set_weights(const JobTest& test);
    int stock(const JobTest& test);
    void give_up(const char* why);
    void log_own_time() const;

    const JobTestFunction stock_;
    epochcast_watch_t* watch_;
    std::atomic_flag busy_;
    Breaker breaker_;
    ClassMap class_map_;
    Candidates candidates_;
    std::vector<epochcast_choice_t> choices_;
    NodeWeights weights_;
    Recorder recorder_;
    OwnTime own_time_;
    std::time_t configured_ = 0;  // when slurm.conf was read, as of the last call
    uint64_t stock_ns_ = 0;       // of the current call
};

}  // namespace epochcast::slurm

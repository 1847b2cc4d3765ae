// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// What the shim does in slurmctld. job_test() looks up private memory, sets node weights for the
// duration of the stock function and puts them back; it does no I/O, takes no lock, waits for
// nothing.

#include <array>
#include <atomic>
#include <optional>

#include "select/breaker.hpp"
#include "select/judge.hpp"
#include "select/node_weights.hpp"
#include "select/own_time.hpp"
#include "select/recorder.hpp"
#include "select/waiting.hpp"

namespace epochcast::slurm {

class Shim {
  public:
    // Starts to watch the forecast files in `dir`. Throws std::bad_alloc.
    Shim(JobTestFunction stock_job_test, const char* dir);
    // Stops its threads. slurmctld as it is usually built exits without coming here.
    ~Shim() = default;
    Shim(const Shim&) = delete;
    Shim& operator=(const Shim&) = delete;

    // Instead of the stock select_p_job_test(), with the same meaning of arguments and result.
    // Slurm calls it with its job and node tables locked for writing, hence one call at a time.
    int job_test(const JobTest& test) noexcept;

  private:
    int steer_or_forward(const JobTest& test,
                         const epochcast_options_t& options,
                         uint64_t start_ns) noexcept;
    int carry_out(const JobTest& test, const Plan& plan);
    bool needs_one_class(const JobTest& test, const Plan& plan) const;
    int try_one_class(const JobTest& test, const Plan& plan, int32_t node_class, bool now_only);
    static bool order_may_fail(const JobTest& test);
    int stock_after(const JobTest& test, bool has_tried);
    bool waits_allowed(const Plan& plan) const;
    std::optional<int> wait_or_start(const JobTest& test, const Plan& plan, int32_t node_class);
    std::optional<int> plan_to_wait(const JobTest& test, const Plan& plan, int32_t node_class);
    std::optional<int> start_or_hold(const JobTest& test, const Plan& plan, int32_t node_class);
    void set_weights(const JobTest& test);
    int stock(const JobTest& test);
    void give_up(const char* why);
    void log_own_time() const;

    const JobTestFunction stock_;
    Judge judge_;
    std::atomic_flag busy_;
    Breaker breaker_;
    Waiting waiting_;
    std::array<uint32_t, 1024> refused_{};  // jobs that our order got nothing for
    NodeWeights weights_;
    Recorder recorder_;
    OwnTime own_time_;
    std::time_t configured_ = 0;  // when slurm.conf was read, as of the last call
    uint64_t stock_ns_ = 0;       // of the current call
    std::time_t now_ = 0;         // of the current call
};

}  // namespace epochcast::slurm

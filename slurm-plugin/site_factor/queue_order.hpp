// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The queue plan as site factors: the first planned job gets the largest one that the configuration
// allows, the last one 0, those between as they follow. Only of jobs that asked for a policy, and
// only while the plan is fresh; else their factor is 0. A factor that somebody else set is left
// alone, as are all other parts of a priority, held jobs, and priorities that were set by hand.

#include <mutex>

#include "common/slurm_version.hpp"
#include "decide/background_thread.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast::slurm {

class QueueOrder {
  public:
    // Starts to watch the forecast files in `dir`. Throws std::bad_alloc, std::system_error.
    explicit QueueOrder(const char* dir);
    ~QueueOrder();
    QueueOrder(const QueueOrder&) = delete;
    QueueOrder& operator=(const QueueOrder&) = delete;

    // Sets the job's site factor. Slurm's lock of jobs must be held for writing.
    void set_factor(job_record_t& job) noexcept;

  private:
    struct Wanted {
        bool is_ours = false;  // the job asks, and its factor may be set
        uint32_t factor = NICE_OFFSET;
    };
    Wanted wanted(const job_record_t& job);
    uint64_t version();
    void follow_plan();
    bool update_pending_jobs();
    static int update_job(void* job, void* update);

    std::mutex mutex_;  // of watch_'s table; held for a look-up, never while waiting for Slurm
    epochcast_watch_t* watch_;
    uint64_t applied_version_ = 0;
    uint32_t first_job_ = 0;   // in Slurm's list: where an update that ran out of time goes on
    uint32_t most_given_ = 0;  // the largest bound that this process has known
    BackgroundThread thread_;  // last: it uses all of the above
};

}  // namespace epochcast::slurm

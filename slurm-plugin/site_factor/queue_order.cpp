// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "site_factor/queue_order.hpp"

#include <algorithm>
#include <chrono>

extern "C" {
#define operator slurm_operator_
#include "src/slurmctld/locks.h"
#undef operator
}

namespace epochcast::slurm {

namespace {

constexpr std::chrono::milliseconds period{1000};
constexpr std::chrono::milliseconds most_time_locked{5};
constexpr uint32_t jobs_between_looks = 16;  // at the clock

void log_line(const char* line) { debug("epochcast: site factor: %s", line); }

// Jobs for writing, as Slurm's own thread that recomputes priorities takes them.
class JobLock {
  public:
    JobLock() { lock_slurmctld(levels_); }
    ~JobLock() { unlock_slurmctld(levels_); }
    JobLock(const JobLock&) = delete;
    JobLock& operator=(const JobLock&) = delete;

  private:
    slurmctld_lock_t levels_ = {NO_LOCK, WRITE_LOCK, READ_LOCK, READ_LOCK, NO_LOCK};
};

// A held job, or one whose priority was set by hand, keeps it.
bool has_free_priority(const job_record_t* job) {
    return IS_JOB_PENDING(job) && job->priority != 0 && !job->direct_set_prio;
}

// One walk through Slurm's list of jobs.
struct Update {
    QueueOrder* order;
    uint32_t first_job;
    std::chrono::steady_clock::time_point end;
    uint32_t job = 0;  // its place in the list
    bool is_late = false;
};

}  // namespace

QueueOrder::QueueOrder(const char* dir)
    : watch_(epochcast_watch_start(dir, log_line)),
      thread_("epochcast-order", period, [this] { follow_plan(); }) {
    if (!watch_) throw std::bad_alloc();
}

QueueOrder::~QueueOrder() { epochcast_watch_stop(watch_); }

QueueOrder::Wanted QueueOrder::wanted(const job_record_t& job) {
    Wanted result;
    epochcast_options_t options;
    if (epochcast_options_read_job_env(&options, job.spank_job_env, job.spank_job_env_size) != 1)
        return result;
    const std::lock_guard lock(mutex_);
    const epochcast_table_t* table = epochcast_watch_table(watch_);
    const uint32_t most = epochcast_table_site_factor_most(table);
    const char* policy = *options.policy ? options.policy : epochcast_table_default_policy(table);
    const char* partition = job.part_ptr ? job.part_ptr->name : nullptr;
    most_given_ = std::max(most_given_, most);
    result.is_ours = job.site_factor >= NICE_OFFSET && job.site_factor <= NICE_OFFSET + most_given_;
    epochcast_planned_t planned{};
    const bool is_ordered =
        *policy && std::strcmp(policy, "off") != 0 &&
        epochcast_table_mode(table, partition) == EPOCHCAST_MODE_ON &&
        epochcast_table_planned(table, job.job_id, std::time(nullptr), &planned);
    if (!is_ordered) return result;
    const uint64_t behind = std::min(planned.order, planned.jobs - 1);
    const uint64_t last = std::max<uint64_t>(planned.jobs - 1, 1);
    result.factor = NICE_OFFSET + static_cast<uint32_t>(most - most * behind / last);
    return result;
}

void QueueOrder::set_factor(job_record_t& job) noexcept {
    try {
        const Wanted result = wanted(job);
        if (!result.is_ours) return;
        job.site_factor = result.factor;
    } catch (...) {
        // No memory: the job keeps the factor that it has.
    }
}

uint64_t QueueOrder::version() {
    const std::lock_guard lock(mutex_);
    const epochcast_table_t* table = epochcast_watch_table(watch_);
    const uint64_t plan = epochcast_table_plan_version(table, std::time(nullptr));
    const uint32_t most = epochcast_table_site_factor_most(table);
    return most == 0 ? 0 : plan ^ (uint64_t{most} << 32);
}

void QueueOrder::follow_plan() {
    const uint64_t now = version();
    if (now == applied_version_ && first_job_ == 0) return;
    if (now != applied_version_) first_job_ = 0;
    applied_version_ = now;
    if (!update_pending_jobs()) verbose("epochcast: site factors: the rest follows in a second");
}

// False: the time was up before the end of the list.
bool QueueOrder::update_pending_jobs() {
    const JobLock locked;
    Update update{this, first_job_, std::chrono::steady_clock::now() + most_time_locked};
    if (job_list) list_for_each(job_list, update_job, &update);
    first_job_ = update.is_late ? update.job : 0;
    return !update.is_late;
}

int QueueOrder::update_job(void* item, void* argument) {
    auto& job = *static_cast<job_record_t*>(item);
    auto& update = *static_cast<Update*>(argument);
    const uint32_t place = update.job;
    if (place % jobs_between_looks == 0 && place > update.first_job &&
        std::chrono::steady_clock::now() > update.end) {
        update.is_late = true;
        return -1;
    }
    ++update.job;
    if (place < update.first_job || !has_free_priority(&job)) return 0;
    try {
        const Wanted result = update.order->wanted(job);
        if (!result.is_ours || result.factor == job.site_factor) return 0;
    } catch (...) {
        return 0;
    }
    set_job_prio(&job);  // asks the priority plugin, which asks set_factor()
    last_job_update = std::time(nullptr);
    return 0;
}

}  // namespace epochcast::slurm

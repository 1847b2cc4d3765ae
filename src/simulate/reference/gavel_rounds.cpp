// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/gavel_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "core/text.hpp"

namespace epochcast::simulate {

namespace {

// What one job has got on one class since the shares were last computed.
struct Account {
    double share = 0;
    double time_s = 0;     // begins at half a round, so that fractions are never 0
    double deficit_s = 0;  // owed from before, summed over all earlier shares
    double priority = 0;
};

struct Running {
    std::uint32_t job = 0;
    std::uint32_t class_index = 0;
    double steps = 0;
    double finish_s = 0;
};

struct Job {
    double remaining = 0;
    bool has_share = false;         // it was there when the shares were computed
    std::vector<Account> accounts;  // by class
    std::optional<std::uint32_t> class_in_last_round;
};

class Rounds {
  public:
    Rounds(const Trace& trace, GavelPolicy policy, const GavelOptions& options)
        : trace_(trace), policy_(policy), options_(options), random_(options.seed) {
        jobs_.resize(trace.jobs.size());
        result_.jobs.resize(trace.jobs.size());
        remaining_.resize(trace.jobs.size());
        class_order_.resize(trace.classes.size());
        class_time_s_.resize(trace.classes.size());
        std::iota(class_order_.begin(), class_order_.end(), 0u);
    }

    Result<RunResult> run() {
        if (!trace_.jobs.empty()) now_s_ = trace_.jobs.front().arrival_s;
        while (true) {
            finish_round();
            admit();
            if (live_.empty() && next_arrival_ == trace_.jobs.size()) break;
            if (const auto updated = update_shares(); !updated) return updated.error();
            update_priorities();
            fill_round();
        }
        return std::move(result_);
    }

  private:
    // Goes to the end of the round, that of its last job, or to the next arrival if nothing runs.
    void finish_round() {
        if (running_.empty()) {
            if (next_arrival_ < trace_.jobs.size()) {
                now_s_ = std::max(now_s_, trace_.jobs[next_arrival_].arrival_s);
            } else {
                may_reset_ = true;
            }
            return;
        }
        if (round_end_s_) round_start_s_ = *round_end_s_;
        now_s_ = 0;
        for (const Running& run : running_) now_s_ = std::max(now_s_, run.finish_s);
        round_end_s_ = now_s_;
        for (const Running& run : running_) finish(run);
        running_.clear();
        std::erase_if(live_, [&](std::uint32_t j) { return jobs_[j].remaining <= 0; });
    }

    void finish(const Running& run) {
        Job& job = jobs_[run.job];
        const double time_s = run.finish_s - round_start_s_;
        job.accounts[run.class_index].time_s += time_s;
        class_time_s_[run.class_index] += time_s;
        job.remaining -= run.steps;
        if (job.remaining > 0) return;
        result_.jobs[run.job].finish_s = run.finish_s;
        is_share_stale_ = true;
    }

    void admit() {
        for (; next_arrival_ < trace_.jobs.size() && trace_.jobs[next_arrival_].arrival_s <= now_s_;
             ++next_arrival_) {
            Job& job = jobs_[next_arrival_];
            job.remaining = trace_.jobs[next_arrival_].steps;
            job.accounts.assign(trace_.classes.size(), {0, options_.round_s / 2, 0, 0});
            live_.push_back(next_arrival_);
            is_share_stale_ = true;
        }
    }

    Result<void> update_shares() {
        const double elapsed_s = now_s_ - last_reset_s_;
        if (!is_share_stale_ || !(may_reset_ || elapsed_s >= options_.reset_s)) return {};
        settle(elapsed_s);
        for (const std::uint32_t j : live_) remaining_[j] = jobs_[j].remaining;
        const auto shares = gavel_shares(policy_, trace_, live_, remaining_);
        if (!shares) return shares.error();
        for (std::size_t i = 0; i < live_.size(); ++i) {
            Job& job = jobs_[live_[i]];
            job.has_share = true;
            for (std::size_t c = 0; c < job.accounts.size(); ++c) {
                job.accounts[c].share = shares.value()[i * job.accounts.size() + c];
            }
        }
        last_reset_s_ = now_s_;
        may_reset_ = now_s_ == 0;
        is_share_stale_ = false;
        return {};
    }

    // Begins the accounts anew and books what each job was owed.
    void settle(double elapsed_s) {
        const double initial_s = options_.round_s / 2;
        std::ranges::fill(class_time_s_, initial_s * static_cast<double>(live_.size()));
        for (const std::uint32_t j : live_) {
            for (Account& account : jobs_[j].accounts) {
                const double owed_s = jobs_[j].has_share ? account.share * elapsed_s : 0;
                account.deficit_s += owed_s - (account.time_s - initial_s);
                account.time_s = initial_s;
            }
        }
    }

    // Share over the fraction of the class's time that the job has got.
    void update_priorities() {
        for (const std::uint32_t j : live_) {
            for (std::size_t c = 0; c < trace_.classes.size(); ++c) {
                Account& account = jobs_[j].accounts[c];
                const bool fits = trace_.jobs[j].steps_per_s[c] > 0;
                account.priority = fits ? account.share * class_time_s_[c] / account.time_s : 0;
            }
        }
    }

    void fill_round() {
        if (policy_ == GavelPolicy::las_blind) shuffle_classes();
        std::vector<bool> is_taken(jobs_.size());
        for (const std::uint32_t c : class_order_) {
            std::vector<std::uint32_t> queue = live_;
            std::ranges::stable_sort(
                queue, [&](std::uint32_t a, std::uint32_t b) { return key(a, c) > key(b, c); });
            double idle = trace_.classes[c].devices;
            for (const std::uint32_t j : queue) {
                const TraceJob& job = trace_.jobs[j];
                if (is_taken[j] || job.steps_per_s[c] <= 0 || job.devices > idle) continue;
                idle -= job.devices;
                is_taken[j] = true;
                // Gavel holds devices for a job that has no share yet, but does not start it.
                if (jobs_[j].has_share) start(j, c);
            }
        }
        note_classes();
    }

    std::tuple<double, double, double> key(std::uint32_t j, std::uint32_t c) const {
        const Account& account = jobs_[j].accounts[c];
        return {account.priority, account.deficit_s, account.share};
    }

    void start(std::uint32_t j, std::uint32_t c) {
        const TraceJob& job = trace_.jobs[j];
        const double rate = job.steps_per_s[c];
        const double whole = std::max(1.0, std::floor(rate * options_.round_s));
        const double steps = std::min(whole, jobs_[j].remaining);
        const double busy_s = steps / rate;
        running_.push_back({j, c, steps, now_s_ + busy_s});
        JobResult& result = result_.jobs[j];
        if (result.start_s < 0) {
            result.start_s = now_s_;
        } else if (jobs_[j].class_in_last_round != c) {
            ++result.moves;
        }
        result.last_class = c;
        result.busy_device_s += busy_s * job.devices;
        result.cost += busy_s * job.devices / 3600 * trace_.classes[c].price_per_device_hour;
    }

    void note_classes() {
        for (const std::uint32_t j : live_) jobs_[j].class_in_last_round.reset();
        for (const Running& run : running_) jobs_[run.job].class_in_last_round = run.class_index;
    }

    void shuffle_classes() {
        for (std::size_t left = class_order_.size(); left > 1; --left) {
            std::swap(class_order_[left - 1],
                      class_order_[random_.below(static_cast<std::uint32_t>(left))]);
        }
    }

    const Trace& trace_;
    GavelPolicy policy_;
    GavelOptions options_;
    Random random_;
    std::vector<Job> jobs_;
    std::vector<double> remaining_;
    std::vector<std::uint32_t> live_;  // in order of arrival
    std::vector<Running> running_;
    std::vector<std::uint32_t> class_order_;
    std::vector<double> class_time_s_;
    RunResult result_;
    std::uint32_t next_arrival_ = 0;
    double now_s_ = 0;
    // Gavel measures a job's time from the end of the last round in which anything ran.
    double round_start_s_ = 0;
    std::optional<double> round_end_s_;
    double last_reset_s_ = 0;
    bool may_reset_ = true;  // no need to wait for reset_s
    bool is_share_stale_ = false;
};

}  // namespace

Result<RunResult> run_gavel(const Trace& trace, GavelPolicy policy, const GavelOptions& options) {
    for (const TraceJob& job : trace.jobs) {
        bool fits = false;
        for (std::size_t c = 0; c < trace.classes.size(); ++c) {
            fits |= job.steps_per_s[c] > 0 && job.devices <= trace.classes[c].devices;
        }
        if (!fits) {
            return Error{ErrorKind::bad_input, "job " + quoted(job.id) + " fits on no class"};
        }
    }
    return Rounds(trace, policy, options).run();
}

}  // namespace epochcast::simulate

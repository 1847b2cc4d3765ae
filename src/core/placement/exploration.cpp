// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/exploration.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace epochcast {

namespace {

bool is_seen(const PlanJob& job) { return std::ranges::any_of(job.options, &PlanOption::is_seen); }

// The unseen tasks' jobs, by task; smallest first.
std::map<std::uint64_t, std::vector<std::uint32_t>> unseen_tasks(const Queue& queue) {
    std::map<std::uint64_t, std::vector<std::uint32_t>> tasks;
    for (std::uint32_t j = 0; j < queue.jobs.size(); ++j) {
        const PlanJob& job = queue.jobs[j];
        if (!job.options.empty() && !is_seen(job)) tasks[job.task].push_back(j);
    }
    for (auto& [task, jobs] : tasks) {
        std::stable_sort(jobs.begin(), jobs.end(), [&](std::uint32_t a, std::uint32_t b) {
            return queue.jobs[a].size < queue.jobs[b].size;
        });
    }
    return tasks;
}

// Takes idle units of the class; false if there are too few.
bool take_idle(PlanClass& plan_class, std::uint32_t units, double now_s) {
    const auto is_idle = [&](double time_s) { return time_s <= now_s; };
    auto& free_at_s = plan_class.free_at_s;
    if (std::ranges::count_if(free_at_s, is_idle) < static_cast<std::ptrdiff_t>(units)) {
        return false;
    }
    for (; units > 0; --units) free_at_s.erase(std::ranges::find_if(free_at_s, is_idle));
    return true;
}

class Exploration {
  public:
    Exploration(Queue& queue, const PlanSettings& settings) : queue_(queue), settings_(settings) {}

    std::vector<PlannedRun> run() {
        for (const auto& [task, jobs] : unseen_tasks(queue_)) {
            for (std::uint32_t c = 0; c < queue_.classes.size(); ++c) try_class(jobs, c);
            for (const std::uint32_t j : jobs) {
                PlanJob& job = queue_.jobs[j];
                if (!job.hold) job.release_s = job.submitted_s + settings_.patience_s;
            }
        }
        return std::move(trials_);
    }

  private:
    // The smallest waiting job that fits there, unless one is there already.
    void try_class(const std::vector<std::uint32_t>& jobs, std::uint32_t c) {
        for (const std::uint32_t j : jobs) {
            const std::optional<Hold>& hold = queue_.jobs[j].hold;
            if (hold && queue_.jobs[j].options[hold->option].class_index == c) return;
        }
        for (const std::uint32_t j : jobs) {
            const PlanJob& job = queue_.jobs[j];
            if (job.hold || job.has_run) continue;
            if (try_options(j, c)) return;
        }
    }

    bool try_options(std::uint32_t j, std::uint32_t c) {
        PlanJob& job = queue_.jobs[j];
        for (std::uint32_t o = 0; o < job.options.size(); ++o) {
            const PlanOption& option = job.options[o];
            if (option.class_index != c) continue;
            if (!take_idle(queue_.classes[c], option.units, queue_.now_s)) continue;
            const double end_s = queue_.now_s + option.run_s;
            job.hold = Hold{o, end_s, true, false};
            trials_.push_back({j, o, queue_.now_s, end_s});
            return true;
        }
        return false;
    }

    Queue& queue_;
    const PlanSettings& settings_;
    std::vector<PlannedRun> trials_;
};

}  // namespace

std::vector<PlannedRun> explore(Queue& queue, const PlanSettings& settings) {
    return Exploration(queue, settings).run();
}

}  // namespace epochcast

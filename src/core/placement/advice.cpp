// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/advice.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace epochcast {

namespace {

constexpr std::uint32_t nobody = 0xffffffff;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr double tick_s = 1e-6;  // times that differ by less are the same moment

// One unit of a class while the plan is played through.
struct Unit {
    double free_s = 0;
    std::uint32_t holder = nobody;  // a job that has it now and can stop
    bool is_idle = false;           // nobody has it now
    double first_use_s = never;     // when the plan first gives it to a job
    bool is_used() const { return first_use_s != never; }
};

class Play {
  public:
    Play(const Queue& queue, const PlanSettings& settings, QueuePlan& plan)
        : queue_(queue), settings_(settings), plan_(plan), leaves_(queue.jobs.size(), false) {}

    IdleUnits run() {
        spread_units();
        for (const PlannedRun& run : plan_.runs) play(run);
        for (std::uint32_t j = 0; j < leaves_.size(); ++j) {
            if (leaves_[j] && is_decidable(queue_.jobs[j])) plan_.requeues.push_back(j);
        }
        IdleUnits idle;
        for (const auto& units : units_) {
            auto& needs_s = idle.emplace_back();
            for (const Unit& unit : units) {
                if (unit.is_idle && unit.first_use_s > queue_.now_s) {
                    needs_s.push_back(unit.first_use_s);
                }
            }
            std::sort(needs_s.begin(), needs_s.end());
        }
        return idle;
    }

  private:
    void spread_units() {
        for (const PlanClass& plan_class : queue_.classes) {
            auto& units = units_.emplace_back();
            for (const double time_s : plan_class.free_at_s) {
                const bool is_idle = time_s <= queue_.now_s;
                units.push_back({std::max(time_s, queue_.now_s), nobody, is_idle, never});
            }
        }
        for (std::uint32_t j = 0; j < queue_.jobs.size(); ++j) {
            const PlanJob& job = queue_.jobs[j];
            if (!job.hold) continue;
            const PlanOption& option = job.options[job.hold->option];
            const double free_s = std::max(queue_.now_s, job.hold->until_s);
            const std::uint32_t holder = job.hold->can_stop ? j : nobody;
            auto& units = units_[option.class_index];
            units.insert(units.end(), option.units, Unit{free_s, holder, false, never});
        }
        for (auto& units : units_) sort(units);
    }

    static void sort(std::vector<Unit>& units) {
        std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
            return a.free_s < b.free_s;
        });
    }

    // A job on trial is left alone until its first epoch was timed.
    static bool is_decidable(const PlanJob& job) {
        return job.hold->is_firm || job.options[job.hold->option].is_timed;
    }

    bool stays(const PlannedRun& run) const {
        const std::optional<Hold>& hold = queue_.jobs[run.job].hold;
        return hold && hold->option == run.option && run.start_s <= hold->until_s + tick_s &&
               !leaves_[run.job];
    }

    void play(const PlannedRun& run) {
        const PlanJob& job = queue_.jobs[run.job];
        const PlanOption& option = job.options[run.option];
        auto& units = units_[option.class_index];
        if (stays(run)) {
            if (!job.hold->is_firm && is_decidable(job)) plan_.confirms.push_back(run.job);
            for (Unit& unit : units) {
                if (unit.holder == run.job) use(unit, run);
            }
            sort(units);
            return;
        }
        const auto idle = std::ranges::count_if(
            units, [](const Unit& unit) { return unit.is_idle && !unit.is_used(); });
        take(units, option.units, run);
        if (job.hold) {
            if (run.start_s <= job.hold->until_s + tick_s) leaves_[run.job] = true;
        } else if (run.start_s <= queue_.now_s &&
                   idle >= static_cast<std::ptrdiff_t>(option.units)) {
            const bool is_trial =
                settings_.moves == Moves::trial && !option.is_timed && !job.has_run;
            (is_trial ? plan_.trials : plan_.starts).push_back(run);
        }
    }

    // The units that are free last by the run's start, as reserve() takes them; idle ones rather
    // than those of a job that could stop right now.
    void take(std::vector<Unit>& units, std::uint32_t count, const PlannedRun& run) {
        std::size_t ready = count;
        while (ready < units.size() && units[ready].free_s <= run.start_s + tick_s) ++ready;
        if (run.start_s <= queue_.now_s + tick_s) {
            std::stable_partition(units.begin(),
                                  units.begin() + static_cast<std::ptrdiff_t>(ready),
                                  [](const Unit& unit) { return !unit.is_idle || unit.is_used(); });
        }
        for (std::size_t i = ready - count; i < ready; ++i) {
            Unit& unit = units[i];
            const bool is_evicted = unit.holder != nobody && unit.holder != run.job &&
                                    !unit.is_used() && run.start_s <= unit.free_s + tick_s;
            if (is_evicted) leaves_[unit.holder] = true;
            use(unit, run);
        }
        sort(units);
    }

    static void use(Unit& unit, const PlannedRun& run) {
        unit.first_use_s = std::min(unit.first_use_s, run.start_s);
        unit.free_s = run.end_s;
    }

    const Queue& queue_;
    const PlanSettings& settings_;
    QueuePlan& plan_;
    std::vector<bool> leaves_;  // by job
    std::vector<std::vector<Unit>> units_;
};

}  // namespace

IdleUnits advise(const Queue& queue, const PlanSettings& settings, QueuePlan& plan) {
    return Play(queue, settings, plan).run();
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/stopgap.hpp"

#include <algorithm>
#include <limits>

namespace epochcast {

namespace {

constexpr std::uint32_t nobody = 0xffffffff;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr double tick_s = 1e-6;  // times that differ by less are the same moment

// One unit of a class while the plan is played through.
struct Unit {
    double free_s = 0;
    std::uint32_t holder = nobody;  // a job without a claim that has it now
    double next_use_s = never;      // when the plan first gives it to another job
    bool is_used = false;           // the plan gave it to someone already
    bool is_idle = false;
};

class Play {
  public:
    Play(const Queue& queue, const PlanSettings& settings, QueuePlan& plan)
        : queue_(queue), settings_(settings), plan_(plan), leaves_(queue.jobs.size(), false) {}

    void run() {
        spread_units();
        plan_.review_s = never;
        for (const PlannedRun& run : plan_.runs) play(run);
        if (settings_.allows_stopgaps) fill_gaps();
        for (std::uint32_t j = 0; j < leaves_.size(); ++j) settle(j);
    }

  private:
    void spread_units() {
        for (const PlanClass& plan_class : queue_.classes) {
            auto& units = units_.emplace_back();
            for (const double time_s : plan_class.free_at_s) {
                Unit& unit = units.emplace_back();
                unit.free_s = std::max(time_s, queue_.now_s);
                unit.is_idle = time_s <= queue_.now_s;
            }
            idle_.push_back(static_cast<std::size_t>(std::ranges::count_if(
                plan_class.free_at_s, [&](double time_s) { return time_s <= queue_.now_s; })));
        }
        for (std::uint32_t j = 0; j < queue_.jobs.size(); ++j) {
            const PlanJob& job = queue_.jobs[j];
            if (!job.hold) continue;
            const PlanOption& option = job.options[job.hold->option];
            Unit unit;
            unit.free_s = std::max(queue_.now_s, job.hold->until_s);
            if (!job.hold->is_firm || job.hold->is_movable) unit.holder = j;
            auto& units = units_[option.class_index];
            units.insert(units.end(), option.units, unit);
        }
        for (auto& units : units_) sort(units);
    }

    static void sort(std::vector<Unit>& units) {
        std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
            return a.free_s < b.free_s;
        });
    }

    // A job on trial is left alone until its first epoch ended.
    void settle(std::uint32_t j) {
        const PlanJob& job = queue_.jobs[j];
        if (!job.hold) return;
        if (!job.options[job.hold->option].is_timed) return;
        if (leaves_[j]) plan_.requeues.push_back(j);
    }

    // The job stays where it works without a claim.
    bool stays(const PlannedRun& run) const {
        const std::optional<Hold>& hold = queue_.jobs[run.job].hold;
        return hold && hold->option == run.option && run.start_s <= hold->until_s + tick_s;
    }

    void play(const PlannedRun& run) {
        const PlanJob& job = queue_.jobs[run.job];
        const PlanOption& option = job.options[run.option];
        auto& units = units_[option.class_index];
        if (stays(run) && !leaves_[run.job]) {
            if (job.options[job.hold->option].is_timed) plan_.confirms.push_back(run.job);
            for (Unit& unit : units) {
                if (unit.holder == run.job) use(unit, run);
            }
            sort(units);
            return;
        }
        take(units, option.units, run);
        if (job.hold) {
            if (run.start_s <= job.hold->until_s + tick_s) leaves_[run.job] = true;
        } else if (run.start_s <= queue_.now_s && idle_[option.class_index] >= option.units) {
            idle_[option.class_index] -= option.units;
            const bool is_trial = settings_.starts_on_trial && job.may_try && !option.is_timed;
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
                                  [](const Unit& unit) { return unit.holder != nobody; });
        }
        for (std::size_t i = ready - count; i < ready; ++i) {
            if (units[i].holder != nobody && !units[i].is_used && units[i].holder != run.job &&
                run.start_s <= units[i].free_s + tick_s) {
                leaves_[units[i].holder] = true;
            }
            use(units[i], run);
        }
        sort(units);
    }

    static void use(Unit& unit, const PlannedRun& run) {
        if (!unit.is_used) unit.next_use_s = run.start_s;
        unit.is_used = true;
        unit.free_s = run.end_s;
    }

    void fill_gaps() {
        // Per class, when the plan needs each of the units that it leaves idle now; soonest first.
        for (std::size_t c = 0; c < units_.size(); ++c) {
            auto& needs_s = needs_s_.emplace_back();
            for (const Unit& unit : units_[c]) {
                if (unit.is_idle && unit.next_use_s > queue_.now_s) {
                    needs_s.push_back(unit.next_use_s);
                }
            }
            std::sort(needs_s.begin(), needs_s.end());
        }
        for (const PlannedRun& run : plan_.runs) fill_gap(run);
    }

    void fill_gap(const PlannedRun& run) {
        const PlanJob& job = queue_.jobs[run.job];
        if (job.hold || run.start_s <= queue_.now_s) return;
        const PlanOption& planned = job.options[run.option];
        double best_gain_s = settings_.stopgap_gain_s;
        std::uint32_t best = nobody;
        for (std::uint32_t o = 0; o < job.options.size(); ++o) {
            const PlanOption& option = job.options[o];
            const std::vector<double>& needs_s = needs_s_[option.class_index];
            if (needs_s.size() < option.units) continue;
            const double pace = (planned.run_s - planned.lead_s) / (option.run_s - option.lead_s);
            const double window_s =
                std::min(run.start_s, needs_s[needs_s.size() - option.units]) - queue_.now_s;
            const double gain_s = (window_s - option.lead_s) * pace -
                                  std::max(0.0, settings_.move_s - planned.lead_s);
            if (gain_s <= best_gain_s) continue;
            best_gain_s = gain_s;
            best = o;
        }
        if (best == nobody) return;
        const PlanOption& option = job.options[best];
        needs_s_[option.class_index].resize(needs_s_[option.class_index].size() - option.units);
        plan_.stopgaps.push_back({run.job, best, queue_.now_s, queue_.now_s + option.run_s});
    }

    const Queue& queue_;
    const PlanSettings& settings_;
    QueuePlan& plan_;
    std::vector<bool> leaves_;
    std::vector<std::vector<Unit>> units_;
    std::vector<std::size_t> idle_;
    std::vector<std::vector<double>> needs_s_;
};

}  // namespace

void advise(const Queue& queue, const PlanSettings& settings, QueuePlan& plan) {
    Play(queue, settings, plan).run();
}

}  // namespace epochcast

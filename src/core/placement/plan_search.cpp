// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/plan_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/placement/plan_value.hpp"

namespace epochcast {

namespace {

constexpr std::size_t stride = 8;            // entries between two snapshots of the free times
constexpr std::uint32_t insert_places = 16;  // tried in a longer list before those around the best
constexpr double unbounded = std::numeric_limits<double>::infinity();

}  // namespace

PlanSearch::PlanSearch(const PlanProblem& problem, const PlanSettings& settings, PlanLists lists)
    : problem_(problem), settings_(settings), lists_(std::move(lists)) {
    prefix_s_.resize(lists_.size());
    snapshots_.resize(lists_.size());
    for (std::uint32_t c = 0; c < lists_.size(); ++c) {
        entries_ += static_cast<std::uint32_t>(lists_[c].size());
        refresh(c, 0);
    }
}

double PlanSearch::value_s() const {
    double sum_s = 0;
    for (const auto& prefix_s : prefix_s_) sum_s += prefix_s.back();
    return sum_s;
}

void PlanSearch::refresh(std::uint32_t c, std::uint32_t from) {
    const std::vector<PlanEntry>& list = lists_[c];
    const std::size_t units = problem_.free_s[c].size();
    const std::size_t blocks = list.size() / stride + 1;
    const std::uint32_t block = std::min(from, static_cast<std::uint32_t>(list.size())) / stride;
    prefix_s_[c].resize(list.size() + 1);
    snapshots_[c].resize(blocks * units);
    if (block == 0) {
        prefix_s_[c][0] = 0;
        std::copy(problem_.free_s[c].begin(), problem_.free_s[c].end(), snapshots_[c].begin());
    }
    const auto start = snapshots_[c].begin() + static_cast<std::ptrdiff_t>(block * units);
    scratch_.assign(start, start + static_cast<std::ptrdiff_t>(units));
    for (std::size_t i = block * stride; i < list.size(); ++i) {
        if (i % stride == 0) {
            std::copy(scratch_.begin(),
                      scratch_.end(),
                      snapshots_[c].begin() + static_cast<std::ptrdiff_t>(i / stride * units));
        }
        prefix_s_[c][i + 1] = prefix_s_[c][i] + place(problem_, settings_, list[i], scratch_);
    }
    if (list.size() % stride == 0) {
        std::copy(
            scratch_.begin(),
            scratch_.end(),
            snapshots_[c].begin() + static_cast<std::ptrdiff_t>(list.size() / stride * units));
    }
}

void PlanSearch::open(Trial& trial, std::uint32_t class_index, std::uint32_t from) const {
    trial.class_index = class_index;
    trial.from = from;
    trial.until = from + 1;
    trial.longer = 0;
    trial.list.assign(lists_[class_index].begin(), lists_[class_index].end());
}

// `change_s` and by how much the entries of the list from `position` on change their value where
// they run from the free times in scratch_. It ends early where these are as they were.
double PlanSearch::follow(std::uint32_t c, std::size_t position, double change_s, double limit_s) {
    const std::vector<PlanEntry>& list = lists_[c];
    const std::vector<double>& prefix_s = prefix_s_[c];
    for (std::size_t i = position; i < list.size() && change_s <= limit_s; ++i) {
        if (i % stride == 0) {
            const double* before_s = snapshots_[c].data() + i / stride * scratch_.size();
            if (std::equal(scratch_.begin(), scratch_.end(), before_s)) return change_s;
        }
        change_s += place(problem_, settings_, list[i], scratch_) - (prefix_s[i + 1] - prefix_s[i]);
    }
    return change_s;
}

double PlanSearch::change_s(const Trial& trial, double limit_s) {
    const std::uint32_t c = trial.class_index;
    rewind(c, trial.from);
    const auto old_until = static_cast<std::size_t>(static_cast<int>(trial.until) - trial.longer);
    double change_s = prefix_s_[c][trial.from] - prefix_s_[c][old_until];
    for (std::size_t i = trial.from; i < trial.until; ++i) {
        change_s += place(problem_, settings_, trial.list[i], scratch_);
    }
    // One job more makes the others no earlier; any other change may still turn out well.
    return follow(c, old_until, change_s, trial.longer == 1 ? limit_s : unbounded);
}

void PlanSearch::accept(Trial& trial) {
    std::swap(lists_[trial.class_index], trial.list);
    refresh(trial.class_index, trial.from);
}

// Sets scratch_ to the free times before the entry at `position`.
void PlanSearch::rewind(std::uint32_t c, std::uint32_t position) {
    const std::size_t units = problem_.free_s[c].size();
    const std::uint32_t block = position / stride;
    const auto start = snapshots_[c].begin() + static_cast<std::ptrdiff_t>(block * units);
    scratch_.assign(start, start + static_cast<std::ptrdiff_t>(units));
    for (std::uint32_t i = block * stride; i < position; ++i) {
        place(problem_, settings_, lists_[c][i], scratch_);
    }
}

double PlanSearch::starts_s(const PlanEntry& entry, const std::vector<double>& free_s) const {
    const std::uint32_t units = problem_.options[entry.option].units;
    return std::max(problem_.jobs[entry.job].release_s, free_s[units - 1]);
}

// Tries the entry at every `step`-th place from `first` to `last`.
void PlanSearch::try_places(const PlanEntry& entry,
                            std::uint32_t first,
                            std::uint32_t last,
                            std::uint32_t step,
                            Insertion& best) {
    const std::uint32_t c = problem_.options[entry.option].class_index;
    rewind(c, first);
    before_s_ = scratch_;
    const double release_s = problem_.jobs[entry.job].release_s;
    for (std::uint32_t p = first; p <= last; p += step) {
        // Ahead of a job that starts before it can, it would only be in the way.
        if (p == lists_[c].size() || starts_s(lists_[c][p], before_s_) >= release_s) {
            scratch_ = before_s_;
            const double own_s = place(problem_, settings_, entry, scratch_);
            if (own_s >= best.growth_s) break;  // it starts no earlier behind more jobs
            const double growth_s = follow(c, p, own_s, best.growth_s);
            if (growth_s < best.growth_s) best = {growth_s, entry, {c, p}};
        }
        for (std::uint32_t i = p; i < std::min(p + step, last); ++i) {
            place(problem_, settings_, lists_[c][i], before_s_);
        }
    }
}

void PlanSearch::insert(std::uint32_t job) {
    Insertion best;
    for (std::uint32_t o = problem_.jobs[job].first_option; o < problem_.jobs[job].last_option;
         ++o) {
        const auto length =
            static_cast<std::uint32_t>(lists_[problem_.options[o].class_index].size());
        try_places({job, o}, 0, length, 1 + length / insert_places, best);
    }
    const auto [c, p] = best.place;
    const auto length = static_cast<std::uint32_t>(lists_[c].size());
    if (const std::uint32_t step = 1 + length / insert_places; step > 1) {
        try_places(
            best.entry, p < step ? 0 : p - step + 1, std::min(p + step - 1, length), 1, best);
    }
    std::vector<PlanEntry>& list = lists_[best.place.class_index];
    list.insert(list.begin() + best.place.position, best.entry);
    ++entries_;
    refresh(best.place.class_index, best.place.position);
}

PlanSearch::Place PlanSearch::place_of(std::uint32_t index) const {
    Place place;
    while (index >= lists_[place.class_index].size()) {
        index -= static_cast<std::uint32_t>(lists_[place.class_index].size());
        ++place.class_index;
    }
    place.position = index;
    return place;
}

bool PlanSearch::other_option(Random& random, std::uint32_t j, std::uint32_t& option) const {
    const PlanProblem::Job& job = problem_.jobs[j];
    const std::uint32_t count = job.last_option - job.first_option;
    if (count < 2) return false;
    const std::uint32_t shift = 1 + random.below(count - 1);
    option = job.first_option + (option - job.first_option + shift) % count;
    return true;
}

bool PlanSearch::option_on(std::uint32_t j,
                           std::uint32_t class_index,
                           std::uint32_t& option) const {
    const PlanProblem::Job& job = problem_.jobs[j];
    for (std::uint32_t o = job.first_option; o < job.last_option; ++o) {
        if (problem_.options[o].class_index != class_index) continue;
        option = o;
        return true;
    }
    return false;
}

// The job at `from` goes to another place of its list, or with another option to any place.
bool PlanSearch::propose_move(Random& random, Place from) {
    PlanEntry entry = lists_[from.class_index][from.position];
    const bool changes_option =
        random.below(2) == 0 && other_option(random, entry.job, entry.option);
    const std::uint32_t to_class = problem_.options[entry.option].class_index;
    std::uint32_t length = static_cast<std::uint32_t>(lists_[to_class].size());
    if (to_class == from.class_index) --length;
    const std::uint32_t to = random.below(length + 1);
    if (!changes_option && to == from.position) return false;
    open(trials_[0], from.class_index, from.position);
    trials_[0].list.erase(trials_[0].list.begin() + from.position);
    Trial& target = trials_[to_class == from.class_index ? 0 : 1];
    if (to_class == from.class_index) {
        target.from = std::min(from.position, to);
        target.until = std::max(from.position, to) + 1;
    } else {
        trials_[0].until = from.position;
        trials_[0].longer = -1;
        open(target, to_class, to);
        target.longer = 1;
    }
    target.list.insert(target.list.begin() + to, entry);
    trial_count_ = to_class == from.class_index ? 1 : 2;
    return true;
}

bool PlanSearch::propose_swap(Place a, Place b) {
    PlanEntry first = lists_[a.class_index][a.position];
    PlanEntry second = lists_[b.class_index][b.position];
    if (first.job == second.job) return false;
    if (a.class_index == b.class_index) {
        open(trials_[0], a.class_index, std::min(a.position, b.position));
        trials_[0].until = std::max(a.position, b.position) + 1;
        std::swap(trials_[0].list[a.position], trials_[0].list[b.position]);
        trial_count_ = 1;
        return true;
    }
    if (!option_on(first.job, b.class_index, first.option)) return false;
    if (!option_on(second.job, a.class_index, second.option)) return false;
    open(trials_[0], a.class_index, a.position);
    open(trials_[1], b.class_index, b.position);
    trials_[0].list[a.position] = second;
    trials_[1].list[b.position] = first;
    trial_count_ = 2;
    return true;
}

bool PlanSearch::propose(Random& random) {
    const Place a = place_of(random.below(entries_));
    if (random.below(2) == 0) return propose_move(random, a);
    return propose_swap(a, place_of(random.below(entries_)));
}

void PlanSearch::improve(std::uint32_t steps, Random& random) {
    if (entries_ == 0) return;
    double value = value_s();
    double best = value;
    PlanLists best_lists = lists_;
    for (std::uint32_t step = 0; step < steps; ++step) {
        if (!propose(random)) continue;
        const double heat_s =
            settings_.heat * problem_.typical_s * (1 - static_cast<double>(step) / steps);
        const double most_s = heat_s * random.exponential();
        double sum_s = 0;
        for (std::uint32_t t = 0; t < trial_count_; ++t) {
            sum_s += change_s(trials_[t], most_s - sum_s);
        }
        if (sum_s > most_s) continue;
        for (std::uint32_t t = 0; t < trial_count_; ++t) accept(trials_[t]);
        value += sum_s;
        if (value < best - 1e-6) {
            best = value;
            best_lists = lists_;
        }
    }
    if (value > best) {
        lists_ = std::move(best_lists);
        for (std::uint32_t c = 0; c < lists_.size(); ++c) refresh(c, 0);
    }
}

}  // namespace epochcast

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

constexpr std::uint32_t stride = 8;  // entries between two snapshots of the free times

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
    trial.list.assign(lists_[class_index].begin(), lists_[class_index].end());
}

void PlanSearch::evaluate(Trial& trial) {
    const std::size_t units = problem_.free_s[trial.class_index].size();
    const std::size_t block = trial.from / stride;
    const auto start =
        snapshots_[trial.class_index].begin() + static_cast<std::ptrdiff_t>(block * units);
    scratch_.assign(start, start + static_cast<std::ptrdiff_t>(units));
    double value_s = prefix_s_[trial.class_index][block * stride];
    for (std::size_t i = block * stride; i < trial.list.size(); ++i) {
        value_s += place(problem_, settings_, trial.list[i], scratch_);
    }
    trial.value_s = value_s;
}

void PlanSearch::accept(Trial& trial) {
    std::swap(lists_[trial.class_index], trial.list);
    refresh(trial.class_index, trial.from);
}

void PlanSearch::insert(std::uint32_t job) {
    double least_s = std::numeric_limits<double>::infinity();
    PlanEntry best_entry;
    Place best;
    for (std::uint32_t o = problem_.jobs[job].first_option; o < problem_.jobs[job].last_option;
         ++o) {
        const std::uint32_t c = problem_.options[o].class_index;
        for (std::uint32_t p = 0; p <= lists_[c].size(); ++p) {
            open(trials_[0], c, p);
            trials_[0].list.insert(trials_[0].list.begin() + p, PlanEntry{job, o});
            evaluate(trials_[0]);
            const double growth_s = trials_[0].value_s - prefix_s_[c].back();
            if (growth_s >= least_s) continue;
            least_s = growth_s;
            best_entry = {job, o};
            best = {c, p};
        }
    }
    lists_[best.class_index].insert(lists_[best.class_index].begin() + best.position, best_entry);
    ++entries_;
    refresh(best.class_index, best.position);
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
        target.from = std::min(target.from, to);
    } else {
        open(target, to_class, to);
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
        double change_s = 0;
        for (std::uint32_t t = 0; t < trial_count_; ++t) {
            evaluate(trials_[t]);
            change_s += trials_[t].value_s - prefix_s_[trials_[t].class_index].back();
        }
        const double heat_s =
            settings_.heat * problem_.typical_s * (1 - static_cast<double>(step) / steps);
        if (change_s > heat_s * random.exponential()) continue;
        for (std::uint32_t t = 0; t < trial_count_; ++t) accept(trials_[t]);
        value += change_s;
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

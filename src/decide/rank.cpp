// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <tuple>

#include "core/placement/ranking.hpp"
#include "decide/c_face.hpp"
#include "decide/epochcast_decide.h"
#include "decide/table.hpp"

namespace {

using epochcast::Candidate;
using epochcast::Forecast;
using epochcast::PlacementForecast;
using epochcast::RankedPlacement;
using epochcast::TaskForecasts;
using epochcast::Unrankable;

// The part of a task's placements that is on this class; they are sorted by class.
std::span<const PlacementForecast> on_class(const TaskForecasts& task, std::uint32_t class_index) {
    const auto first =
        std::ranges::lower_bound(task.placements, class_index, {}, &PlacementForecast::class_index);
    const auto last = std::ranges::upper_bound(
        first, task.placements.end(), class_index, {}, &PlacementForecast::class_index);
    return {first, last};
}

const Forecast* find_forecast(const TaskForecasts& task,
                              std::uint32_t class_index,
                              std::uint32_t nodes) {
    for (const PlacementForecast& placement : on_class(task, class_index)) {
        if (placement.nodes == nodes) return &placement.forecast;
    }
    return nullptr;
}

const char* reason_of(const RankedPlacement& placement, const TaskForecasts* task) {
    if (placement.unrankable == Unrankable::no_forecast && task != nullptr &&
        !on_class(*task, placement.class_index).empty()) {
        return "no forecast for this number of nodes here";
    }
    return epochcast::to_text(placement.unrankable);
}

epochcast_choice_t choice_of(const RankedPlacement& placement,
                             const Forecast* forecast,
                             double price_per_node_hour,
                             const char* reason) {
    epochcast_choice_t choice{};
    choice.class_index = placement.class_index;
    choice.utility = placement.utility;
    choice.time_s = placement.criteria.time_s;
    choice.cost = placement.criteria.cost;
    choice.epoch_s = forecast == nullptr ? epochcast::absent : forecast->epoch.time_s;
    choice.epoch_low_s = forecast == nullptr ? epochcast::absent : forecast->epoch_low_s;
    choice.epoch_high_s = forecast == nullptr ? epochcast::absent : forecast->epoch_high_s;
    choice.price_per_node_hour = price_per_node_hour;
    choice.basis = forecast == nullptr ? "" : forecast->basis.c_str();
    choice.reason = reason;
    return choice;
}

std::uint32_t rank(const epochcast_table& table,
                   const epochcast_job_t& job,
                   const std::uint8_t* is_candidate,
                   epochcast_choice_t* choices,
                   std::uint32_t& count) {
    const std::string_view asked = epochcast::text_or_empty(job.policy);
    const auto policy =
        epochcast::parse_policy(asked.empty() ? table.content.default_policy : asked);
    const std::string_view name = epochcast::text_or_empty(job.task);
    if (!policy || name.empty()) return 0;
    const auto& classes = table.content.classes;
    const TaskForecasts* task = table.find_task(job.uid, name);
    const std::uint32_t nodes = std::max(job.nodes, 1u);
    std::vector<Candidate> candidates;
    candidates.reserve(classes.size());
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
        if (is_candidate[i] == 0) continue;
        const Forecast* forecast = task == nullptr ? nullptr : find_forecast(*task, i, nodes);
        candidates.push_back({i, nodes, forecast, classes[i].price_per_node_hour, 0});
    }
    const std::uint64_t epochs = std::max<std::uint64_t>(job.epochs, 1);
    std::uint32_t rankable = 0;
    for (const RankedPlacement& ranked :
         epochcast::rank_placements(policy.value(), epochs, candidates)) {
        const auto candidate =
            std::ranges::lower_bound(candidates, ranked.class_index, {}, &Candidate::class_index);
        choices[count++] = choice_of(
            ranked, candidate->forecast, candidate->price_per_node_hour, reason_of(ranked, task));
        if (ranked.unrankable == Unrankable::none) ++rankable;
    }
    return rankable;
}

}  // namespace

extern "C" uint32_t epochcast_rank(const epochcast_table_t* table,
                                   const epochcast_job_t* job,
                                   const uint8_t* is_candidate,
                                   epochcast_choice_t* choices,
                                   uint32_t* count) {
    std::uint32_t written = 0;
    std::uint32_t rankable = 0;
    if (table != nullptr && job != nullptr && is_candidate != nullptr && choices != nullptr) {
        rankable = epochcast::guarded(
            0u, [&] { return rank(*table, *job, is_candidate, choices, written); });
    }
    if (count != nullptr) *count = written;
    return rankable;
}

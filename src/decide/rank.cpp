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

bool is_within(std::uint32_t value, std::uint32_t least, std::uint32_t most) {
    return least <= value && value <= most;
}

// Which numbers of devices per node to look at: those that the job asks for. Where the task was
// recorded without devices there, the records without; where the job asks for none, or nobody knows
// for how many, those without again, else the most.
struct DeviceRange {
    std::uint32_t least;
    std::uint32_t most;
};

DeviceRange devices_to_look_at(std::span<const PlacementForecast> placements,
                               const epochcast_job_t& job) {
    bool has_asked = false;
    bool has_none = false;
    std::uint32_t most = 0;
    for (const PlacementForecast& placement : placements) {
        const std::uint32_t devices = placement.devices_per_node;
        has_asked =
            has_asked || (devices != 0 && is_within(devices, job.least_devices, job.most_devices));
        has_none = has_none || devices == 0;
        most = std::max(most, devices);
    }
    if (job.least_devices != 0 && (has_asked || !has_none))
        return {job.least_devices, job.most_devices};
    return has_none ? DeviceRange{0, 0} : DeviceRange{most, most};
}

const char* reason_of(const RankedPlacement& placement, bool is_known_there) {
    if (placement.unrankable == Unrankable::no_forecast && is_known_there) {
        return "no forecast for this number of nodes here";
    }
    return epochcast::to_text(placement.unrankable);
}

epochcast_choice_t choice_of(const RankedPlacement& placement,
                             const Candidate& candidate,
                             const char* reason) {
    const Forecast* forecast = candidate.forecast;
    epochcast_choice_t choice{};
    choice.class_index = placement.class_index;
    choice.nodes = placement.nodes;
    choice.devices_per_node = placement.devices_per_node;
    choice.utility = placement.utility;
    choice.time_s = placement.criteria.time_s;
    choice.cost = placement.criteria.cost;
    choice.epoch_s = forecast == nullptr ? epochcast::absent : forecast->epoch.time_s;
    choice.epoch_low_s = forecast == nullptr ? epochcast::absent : forecast->epoch_low_s;
    choice.epoch_high_s = forecast == nullptr ? epochcast::absent : forecast->epoch_high_s;
    choice.price_per_node_hour = candidate.price_per_node_hour;
    choice.basis = forecast == nullptr ? "" : forecast->basis.c_str();
    choice.reason = reason;
    return choice;
}

// The placements of one class that the job could take and that have a forecast; without any, one
// that has none, so that the class is in the answer with its reason.
void add_candidates(const epochcast::NodeClass& node_class,
                    std::uint32_t class_index,
                    std::span<const PlacementForecast> placements,
                    const epochcast_job_t& job,
                    const epochcast_offer_t& offer,
                    std::vector<Candidate>& candidates) {
    const std::uint32_t least_nodes = std::max(job.least_nodes, 1u);
    const std::uint32_t most_nodes = std::max(std::min(job.most_nodes, offer.nodes), least_nodes);
    DeviceRange devices = devices_to_look_at(placements, job);
    devices.most = std::max(std::min(devices.most, offer.devices), devices.least);
    Candidate candidate;
    candidate.class_index = class_index;
    candidate.wait_s = offer.wait_s;
    candidate.memory_bytes = node_class.memory_bytes;
    const std::size_t before = candidates.size();
    for (const PlacementForecast& placement : placements) {
        if (!is_within(placement.nodes, least_nodes, most_nodes) ||
            !is_within(placement.devices_per_node, devices.least, devices.most)) {
            continue;
        }
        candidate.nodes = placement.nodes;
        candidate.devices_per_node = job.least_devices == 0 ? 0 : placement.devices_per_node;
        candidate.forecast = &placement.forecast;
        candidate.price_per_node_hour = price_of_node(
            node_class,
            candidate.devices_per_node == 0 ? job.least_devices : candidate.devices_per_node);
        candidates.push_back(candidate);
    }
    if (candidates.size() != before) return;
    candidate.nodes = least_nodes;
    candidate.price_per_node_hour = price_of_node(node_class, job.least_devices);
    candidates.push_back(candidate);
}

std::uint32_t rank(const epochcast_table& table,
                   const epochcast_job_t& job,
                   const epochcast_offer_t* offers,
                   epochcast_choice_t* choices,
                   std::uint32_t& count) {
    const std::string_view asked = epochcast::text_or_empty(job.policy);
    const auto policy =
        epochcast::parse_policy(asked.empty() ? table.content.default_policy : asked);
    const std::string_view name = epochcast::text_or_empty(job.task);
    if (!policy || name.empty()) return 0;
    const auto& classes = table.content.classes;
    const TaskForecasts* task = table.find_task(job.uid, name);
    std::vector<Candidate> candidates;
    candidates.reserve(2 * classes.size());
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
        if (offers[i].nodes == 0) continue;
        const auto placements =
            task == nullptr ? std::span<const PlacementForecast>() : on_class(*task, i);
        add_candidates(classes[i], i, placements, job, offers[i], candidates);
    }
    const std::uint64_t epochs = std::max<std::uint64_t>(job.epochs, 1);
    const epochcast::Limits limits{job.deadline_s, job.budget};
    std::vector<bool> is_told(classes.size());
    std::uint32_t rankable = 0;
    for (const RankedPlacement& ranked :
         epochcast::rank_placements(policy.value(), epochs, candidates, limits)) {
        if (is_told[ranked.class_index]) continue;  // a better one of this class came first
        is_told[ranked.class_index] = true;
        const auto candidate = std::ranges::find_if(candidates, [&](const Candidate& c) {
            return c.class_index == ranked.class_index && c.nodes == ranked.nodes &&
                   c.devices_per_node == ranked.devices_per_node;
        });
        const bool is_known_there = task != nullptr && !on_class(*task, ranked.class_index).empty();
        choices[count++] = choice_of(ranked, *candidate, reason_of(ranked, is_known_there));
        if (ranked.unrankable == Unrankable::none) ++rankable;
    }
    return rankable;
}

}  // namespace

extern "C" uint32_t epochcast_rank(const epochcast_table_t* table,
                                   const epochcast_job_t* job,
                                   const epochcast_offer_t* offers,
                                   epochcast_choice_t* choices,
                                   uint32_t* count) {
    std::uint32_t written = 0;
    std::uint32_t rankable = 0;
    if (table != nullptr && job != nullptr && offers != nullptr && choices != nullptr) {
        rankable =
            epochcast::guarded(0u, [&] { return rank(*table, *job, offers, choices, written); });
    }
    if (count != nullptr) *count = written;
    return rankable;
}

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Which placements a job could take: class x node count x devices per node, within what the job
// allows and what the classes have.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/epoch_record.hpp"
#include "core/placement/ranking.hpp"

namespace epochcast {

// What the job allows, as in --nodes=1-4 and --train-gpus=1-8. Both ranges are closed.
struct PlacementRange {
    std::uint32_t least_nodes = 1;
    std::uint32_t most_nodes = 1;
    std::uint32_t least_devices = 0;  // per node
    std::uint32_t most_devices = 0;
};

// What a class offers now.
struct ClassOffer {
    std::uint32_t class_index = 0;
    std::uint32_t nodes = 0;             // that the job could have; 0: the class is left out
    std::uint32_t devices_per_node = 0;  // that a node has
    double price_per_node_hour = absent;
    std::uint64_t memory_bytes = absent_count;  // of a node
    double wait_s = 0;                          // until its nodes are free, expected
};

// The counts in [least, most]: all if they are at most 8, else least, most and the powers of two
// between, ascending. Empty if least > most or most is 0.
std::vector<std::uint32_t> counts_within(std::uint32_t least, std::uint32_t most);

// Calls visit(Candidate) for each placement, by offer, then nodes, then devices per node; its
// forecast is what look_up(class_index, nodes, devices_per_node) gives, a `const Forecast*`.
template <class LookUp, class Visit>
void enumerate_placements(const PlacementRange& range,
                          std::span<const ClassOffer> offers,
                          LookUp&& look_up,
                          Visit&& visit);

// The same as a list.
template <class LookUp>
std::vector<Candidate> enumerate_placements(const PlacementRange& range,
                                            std::span<const ClassOffer> offers,
                                            LookUp&& look_up) {
    std::vector<Candidate> candidates;
    candidates.reserve(offers.size() * 8);
    enumerate_placements(range, offers, look_up, [&](const Candidate& candidate) {
        candidates.push_back(candidate);
    });
    return candidates;
}

template <class LookUp, class Visit>
void enumerate_placements(const PlacementRange& range,
                          std::span<const ClassOffer> offers,
                          LookUp&& look_up,
                          Visit&& visit) {
    const auto node_counts = counts_within(range.least_nodes, range.most_nodes);
    const auto device_counts = range.most_devices == 0
                                   ? std::vector<std::uint32_t>{0}
                                   : counts_within(range.least_devices, range.most_devices);
    for (const ClassOffer& offer : offers) {
        Candidate candidate;
        candidate.class_index = offer.class_index;
        candidate.price_per_node_hour = offer.price_per_node_hour;
        candidate.wait_s = offer.wait_s;
        candidate.memory_bytes = offer.memory_bytes;
        for (const std::uint32_t nodes : node_counts) {
            if (nodes > offer.nodes) break;
            candidate.nodes = nodes;
            for (const std::uint32_t devices : device_counts) {
                if (devices > offer.devices_per_node) break;
                candidate.devices_per_node = devices;
                candidate.forecast = look_up(offer.class_index, nodes, devices);
                visit(std::as_const(candidate));
            }
        }
    }
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/ranking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace epochcast {

namespace {

Criteria criteria_of(const Candidate& candidate, std::uint64_t epochs) {
    Criteria criteria{absent, absent, absent};
    if (candidate.forecast == nullptr) return criteria;
    const double run_s = job_time_s(*candidate.forecast, epochs);
    criteria.time_s = candidate.wait_s + run_s;
    criteria.cost = candidate.price_per_node_hour * candidate.nodes * run_s / 3600;
    const std::uint64_t samples = candidate.forecast->samples_per_epoch;
    if (samples != absent_count) {
        criteria.throughput = static_cast<double>(samples) / candidate.forecast->epoch.time_s;
    }
    return criteria;
}

bool fits_memory(const Candidate& candidate) {
    if (candidate.forecast == nullptr || candidate.memory_bytes == absent_count) return true;
    const double peak_bytes = candidate.forecast->epoch.peak_memory_bytes;
    return !(peak_bytes > static_cast<double>(candidate.memory_bytes));
}

// Why `policy` gives these criteria no utility.
Unrankable reason_of(const Policy& policy, const Candidate& candidate, const Criteria& criteria) {
    if (candidate.forecast == nullptr || !(criteria.time_s > 0)) return Unrankable::no_forecast;
    if (policy.cost > 0 && !(criteria.cost > 0)) return Unrankable::no_price;
    return Unrankable::no_samples;
}

RankedPlacement judge(const Policy& policy,
                      std::uint64_t epochs,
                      const Candidate& candidate,
                      const Limits& limits) {
    RankedPlacement placement;
    placement.class_index = candidate.class_index;
    placement.nodes = candidate.nodes;
    placement.devices_per_node = candidate.devices_per_node;
    placement.criteria = criteria_of(candidate, epochs);
    if (!fits_memory(candidate)) {
        placement.unrankable = Unrankable::no_memory;
    } else if (const auto value = utility(policy, placement.criteria)) {
        placement.utility = *value;
        placement.overrun = overrun(limits, placement.criteria);
    } else {
        placement.unrankable = reason_of(policy, candidate, placement.criteria);
    }
    return placement;
}

Standing standing_of(const RankedPlacement& placement) {
    return {
        placement.overrun, placement.utility, placement.criteria.cost, placement.criteria.time_s};
}

bool comes_before(const RankedPlacement& a, const RankedPlacement& b) {
    // Rankable, then those that lack something, then those that cannot run there.
    const auto tier = [](const RankedPlacement& placement) {
        if (placement.unrankable == Unrankable::none) return 0;
        return placement.unrankable == Unrankable::no_memory ? 2 : 1;
    };
    if (tier(a) != tier(b)) return tier(a) < tier(b);
    if (a.unrankable == Unrankable::none) {
        const Standing of_a = standing_of(a);
        const Standing of_b = standing_of(b);
        if (is_better(of_a, of_b)) return true;
        if (is_better(of_b, of_a)) return false;
    }
    return std::tie(a.class_index, a.nodes, a.devices_per_node) <
           std::tie(b.class_index, b.nodes, b.devices_per_node);
}

// An index with a coarse key, smaller for what comes first: comes_before() never puts an index with
// a larger key before one with a smaller.
struct Coarse {
    std::uint32_t key = 0;
    std::uint32_t index = 0;
};

std::uint32_t coarse_key(const RankedPlacement& placement) {
    constexpr std::uint32_t last = 0xffffffff;
    if (placement.unrankable == Unrankable::no_memory) return last;
    if (placement.unrankable != Unrankable::none || placement.overrun > 0) return last - 1;
    // The upper half of a double, turned so that higher utilities have smaller keys. + 0.0 makes
    // both zeros alike.
    const auto bits = std::bit_cast<std::uint64_t>(-placement.utility + 0.0);
    const std::uint64_t ordered = bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
    return std::min(static_cast<std::uint32_t>(ordered >> 32), last - 2);
}

// By key, stable, in four passes over a byte each: twice as fast as comparing.
void sort_coarse(std::vector<Coarse>& items) {
    std::vector<Coarse> other(items.size());
    for (unsigned shift = 0; shift < 32; shift += 8) {
        std::array<std::uint32_t, 257> first{};
        for (const Coarse& item : items) ++first[((item.key >> shift) & 255) + 1];
        for (std::size_t b = 1; b < 257; ++b) first[b] += first[b - 1];
        for (const Coarse& item : items) other[first[(item.key >> shift) & 255]++] = item;
        std::swap(items, other);
    }
}

}  // namespace

std::vector<RankedPlacement> rank_placements(const Policy& policy,
                                             std::uint64_t epochs,
                                             std::span<const Candidate> candidates,
                                             const Limits& limits) {
    std::vector<RankedPlacement> judged;
    judged.reserve(candidates.size());
    std::vector<Coarse> order;
    order.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        judged.push_back(judge(policy, epochs, candidate, limits));
        order.push_back({coarse_key(judged.back()), static_cast<std::uint32_t>(order.size())});
    }
    sort_coarse(order);
    // Those with equal keys are few; they are sorted among themselves.
    const auto is_before = [&](const Coarse& a, const Coarse& b) {
        return comes_before(judged[a.index], judged[b.index]);
    };
    for (auto first = order.begin(); first != order.end();) {
        const auto last = std::find_if(
            first, order.end(), [&](const Coarse& item) { return item.key != first->key; });
        if (last - first > 1) std::sort(first, last, is_before);
        first = last;
    }
    std::vector<RankedPlacement> ranked;
    ranked.reserve(judged.size());
    for (const Coarse& item : order) ranked.push_back(judged[item.index]);
    return ranked;
}

const char* to_text(Unrankable reason) {
    switch (reason) {
        case Unrankable::none:
            return "";
        case Unrankable::no_forecast:
            return "no forecast for this task here";
        case Unrankable::no_price:
            return "no price is configured for this class";
        case Unrankable::no_samples:
            return "samples per epoch are not known";
        case Unrankable::no_memory:
            return "its nodes have less memory than this task needs";
    }
    return "";
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/ranking.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace epochcast {

namespace {

void fill_criteria(const Candidate& candidate, std::uint64_t epochs, Criteria& criteria) {
    criteria.time_s = criteria.cost = criteria.throughput = absent;
    if (candidate.forecast == nullptr) return;
    const double run_s = job_time_s(*candidate.forecast, epochs);
    criteria.time_s = candidate.wait_s + run_s;
    criteria.cost = candidate.price_per_node_hour * candidate.nodes * run_s / 3600;
    const std::uint64_t samples = candidate.forecast->samples_per_epoch;
    if (samples != absent_count) {
        criteria.throughput = static_cast<double>(samples) / candidate.forecast->epoch.time_s;
    }
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

// Fills in a placement made by default, in its place: copying it would cost as much as the rest.
void judge(const Policy& policy,
           std::uint64_t epochs,
           const Candidate& candidate,
           const Limits& limits,
           RankedPlacement& placement) {
    placement.class_index = candidate.class_index;
    placement.nodes = candidate.nodes;
    placement.devices_per_node = candidate.devices_per_node;
    fill_criteria(candidate, epochs, placement.criteria);
    if (!fits_memory(candidate)) {
        placement.unrankable = Unrankable::no_memory;
    } else if (const auto value = utility(policy, placement.criteria)) {
        placement.utility = *value;
        placement.overrun = overrun(limits, placement.criteria);
    } else {
        placement.unrankable = reason_of(policy, candidate, placement.criteria);
    }
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

constexpr double infinity = std::numeric_limits<double>::infinity();

// What keeps its limits has a key by its utility, all others come after it: comes_before() never
// puts a larger key before a smaller one.
double key_of(const RankedPlacement& placement) {
    const bool is_plain = placement.unrankable == Unrankable::none && !(placement.overrun > 0);
    return is_plain ? -placement.utility : infinity;
}

// An index with its key in 16 bits.
struct Coarse {
    std::uint32_t key = 0;
    std::uint32_t index = 0;
};

// The indices of `keys`, sorted by key in 16 bits, in two passes over a byte each: faster than
// comparing, of which every second outcome would be a surprise to the processor.
std::vector<Coarse> coarse_order(std::span<const double> keys) {
    double least = infinity;
    double most = -infinity;
    for (const double key : keys) {
        least = std::min(least, key);
        most = std::max(most, key == infinity ? -infinity : key);
    }
    constexpr double last = 0xffff;
    const double per_key = most > least ? (last - 1) / (most - least) : 0;
    std::array<std::uint32_t, 257> low{};  // where the next item of each byte goes
    std::array<std::uint32_t, 257> high{};
    std::vector<Coarse> items;
    items.reserve(keys.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        const double place =
            keys[i] == infinity ? last : std::min((keys[i] - least) * per_key, last - 1);
        items.push_back({static_cast<std::uint32_t>(place), i});
        ++low[(items[i].key & 255) + 1];
        ++high[(items[i].key >> 8) + 1];
    }
    for (std::size_t b = 1; b < 257; ++b) {
        low[b] += low[b - 1];
        high[b] += high[b - 1];
    }
    std::vector<Coarse> half(items.size());
    for (const Coarse& item : items) half[low[item.key & 255]++] = item;
    for (const Coarse& item : half) items[high[item.key >> 8]++] = item;
    return items;
}

}  // namespace

std::vector<RankedPlacement> rank_placements(const Policy& policy,
                                             std::uint64_t epochs,
                                             std::span<const Candidate> candidates,
                                             const Limits& limits) {
    std::vector<RankedPlacement> judged;
    std::vector<double> keys;
    judged.reserve(candidates.size());
    keys.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        RankedPlacement& placement = judged.emplace_back();
        judge(policy, epochs, candidate, limits, placement);
        keys.push_back(key_of(placement));
    }
    std::vector<Coarse> order = coarse_order(keys);
    // Those whose coarse keys are equal are few; they are sorted among themselves.
    const auto is_before = [&](const Coarse& a, const Coarse& b) {
        if (keys[a.index] != keys[b.index]) return keys[a.index] < keys[b.index];
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

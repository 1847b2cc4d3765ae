// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "core/utility/natural_log.hpp"

namespace epochcast {

namespace {

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

// The candidates' criteria and utilities, each in an array of its own: copying whole placements
// about would cost more than all the rest.
class Judged {
  public:
    Judged(const Policy& policy,
           std::uint64_t epochs,
           std::span<const Candidate> candidates,
           const Limits& limits)
        : policy_(policy),
          candidates_(candidates),
          limits_(limits),
          has_limits_(!std::isnan(limits.deadline_s) || !std::isnan(limits.budget)),
          numbers_(std::make_unique_for_overwrite<double[]>(5 * candidates.size())) {
        for (std::size_t i = 0; i < candidates.size(); ++i) fill_criteria(i, epochs);
        if (policy.cost != 0) add_weighted_logs(-policy.cost, costs(), utilities());
        if (policy.time != 0) add_weighted_logs(-policy.time, times(), utilities());
        if (policy.throughput != 0) {
            add_weighted_logs(policy.throughput, throughputs(), utilities());
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) keys()[i] = key_of(i);
    }

    // What keeps its limits has a key by its utility, all others infinity: comes_before() never
    // puts a larger key before a smaller one.
    std::span<double> keys() { return part(4); }

    // Fills in a placement made by default.
    void fill(std::size_t i, RankedPlacement& placement) {
        const Candidate& candidate = candidates_[i];
        placement.class_index = candidate.class_index;
        placement.nodes = candidate.nodes;
        placement.devices_per_node = candidate.devices_per_node;
        placement.criteria.cost = costs()[i];
        placement.criteria.time_s = times()[i];
        placement.criteria.throughput = throughputs()[i];
        placement.utility = utilities()[i];
        if (std::isnan(placement.utility)) {
            placement.unrankable = fits_memory(candidate)
                                       ? reason_of(policy_, candidate, placement.criteria)
                                       : Unrankable::no_memory;
        } else if (has_limits_) {
            placement.overrun = overrun(limits_, placement.criteria);
        }
    }

  private:
    std::span<double> part(std::size_t number) {
        return {numbers_.get() + number * candidates_.size(), candidates_.size()};
    }
    std::span<double> times() { return part(0); }
    std::span<double> costs() { return part(1); }
    std::span<double> throughputs() { return part(2); }
    std::span<double> utilities() { return part(3); }

    void fill_criteria(std::size_t i, std::uint64_t epochs) {
        const Candidate& candidate = candidates_[i];
        utilities()[i] = fits_memory(candidate) ? 0 : absent;
        if (candidate.forecast == nullptr) {
            times()[i] = costs()[i] = throughputs()[i] = absent;
            return;
        }
        const double run_s = job_time_s(*candidate.forecast, epochs);
        times()[i] = candidate.wait_s + run_s;
        costs()[i] = candidate.price_per_node_hour * candidate.nodes * run_s / 3600;
        const std::uint64_t samples = candidate.forecast->samples_per_epoch;
        throughputs()[i] = samples == absent_count
                               ? absent
                               : static_cast<double>(samples) / candidate.forecast->epoch.time_s;
    }

    double key_of(std::size_t i) {
        const double utility = utilities()[i];
        if (std::isnan(utility)) return infinity;
        if (!has_limits_) return -utility;
        const Criteria criteria{costs()[i], times()[i], throughputs()[i]};
        return overrun(limits_, criteria) > 0 ? infinity : -utility;
    }

    const Policy& policy_;
    std::span<const Candidate> candidates_;
    const Limits& limits_;
    bool has_limits_;
    std::unique_ptr<double[]> numbers_;  // times, costs, throughputs, utilities, keys
};

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
        const double if_finite = key < infinity ? key : -infinity;
        least = key < least ? key : least;
        most = if_finite > most ? if_finite : most;
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
    Judged judged(policy, epochs, candidates, limits);
    const std::span<const double> keys = judged.keys();
    std::vector<Coarse> order = coarse_order(keys);
    // Those whose coarse keys are equal are few; they are sorted among themselves.
    const auto is_before = [&](const Coarse& a, const Coarse& b) {
        if (keys[a.index] != keys[b.index]) return keys[a.index] < keys[b.index];
        RankedPlacement of_a;
        RankedPlacement of_b;
        judged.fill(a.index, of_a);
        judged.fill(b.index, of_b);
        return comes_before(of_a, of_b);
    };
    for (auto first = order.begin(); first != order.end();) {
        const auto last = std::find_if(
            first, order.end(), [&](const Coarse& item) { return item.key != first->key; });
        if (last - first > 1) std::sort(first, last, is_before);
        first = last;
    }
    std::vector<RankedPlacement> ranked;
    ranked.reserve(order.size());
    for (const Coarse& item : order) judged.fill(item.index, ranked.emplace_back());
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

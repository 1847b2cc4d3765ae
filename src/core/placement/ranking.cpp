// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

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

// Why `policy` gives these criteria no utility.
Unrankable reason_of(const Policy& policy, const Candidate& candidate, const Criteria& criteria) {
    if (candidate.forecast == nullptr || !(criteria.time_s > 0)) return Unrankable::no_forecast;
    if (policy.cost > 0 && !(criteria.cost > 0)) return Unrankable::no_price;
    return Unrankable::no_samples;
}

// NaN sorts last.
double or_last(double value) { return std::isnan(value) ? INFINITY : value; }

bool is_better(const RankedPlacement& a, const RankedPlacement& b) {
    const bool a_ranks = a.unrankable == Unrankable::none;
    const bool b_ranks = b.unrankable == Unrankable::none;
    if (a_ranks != b_ranks) return a_ranks;
    if (a_ranks && a.utility != b.utility) return a.utility > b.utility;
    if (!a_ranks) return std::tie(a.class_index, a.nodes) < std::tie(b.class_index, b.nodes);
    const auto key = [](const RankedPlacement& p) {
        return std::make_tuple(
            or_last(p.criteria.cost), or_last(p.criteria.time_s), p.class_index, p.nodes);
    };
    return key(a) < key(b);
}

}  // namespace

std::vector<RankedPlacement> rank_placements(const Policy& policy,
                                             std::uint64_t epochs,
                                             std::span<const Candidate> candidates) {
    std::vector<RankedPlacement> ranked;
    ranked.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        RankedPlacement placement;
        placement.class_index = candidate.class_index;
        placement.nodes = candidate.nodes;
        placement.criteria = criteria_of(candidate, epochs);
        if (const auto value = utility(policy, placement.criteria)) {
            placement.utility = *value;
        } else {
            placement.unrankable = reason_of(policy, candidate, placement.criteria);
        }
        ranked.push_back(placement);
    }
    std::sort(ranked.begin(), ranked.end(), is_better);
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
    }
    return "";
}

}  // namespace epochcast

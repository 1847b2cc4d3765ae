// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/placement/ranking.hpp"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace epochcast {
namespace {

Forecast epochs_of(double epoch_s, double startup_s = 0) {
    Forecast forecast;
    forecast.epoch.time_s = epoch_s;
    forecast.startup_s = startup_s;
    forecast.samples_per_epoch = 1000;
    return forecast;
}

TEST(Ranking, time_takes_the_fast_class_and_cost_the_cheap_one) {
    const Forecast fast = epochs_of(10);
    const Forecast slow = epochs_of(40);
    const std::vector<Candidate> candidates{{0, 1, &slow, 0.5}, {1, 1, &fast, 3.0}};
    EXPECT_EQ(rank_placements(Policy{0, 1, 0}, 4, candidates).front().class_index, 1u);
    const auto by_cost = rank_placements(Policy{1, 0, 0}, 4, candidates);
    EXPECT_EQ(by_cost.front().class_index, 0u);
    EXPECT_DOUBLE_EQ(by_cost.front().criteria.cost, 0.5 * 160 / 3600);
    EXPECT_DOUBLE_EQ(by_cost.front().criteria.time_s, 160);
}

TEST(Ranking, waiting_counts_as_time_but_not_as_cost) {
    const Forecast forecast = epochs_of(10, 5);
    const std::vector<Candidate> candidates{{0, 1, &forecast, 3600, 100}};
    const auto ranked = rank_placements(Policy{0, 1, 0}, 2, candidates);
    EXPECT_DOUBLE_EQ(ranked[0].criteria.time_s, 125);
    EXPECT_DOUBLE_EQ(ranked[0].criteria.cost, 25);
    EXPECT_DOUBLE_EQ(ranked[0].criteria.throughput, 100);
}

TEST(Ranking, what_cannot_be_ranked_comes_last_with_the_reason) {
    const Forecast known = epochs_of(10);
    const std::vector<Candidate> candidates{{0, 1, nullptr, 1}, {1, 1, &known}, {2, 1, &known, 2}};
    const auto ranked = rank_placements(Policy{1, 0, 0}, 1, candidates);
    EXPECT_EQ(ranked[0].class_index, 2u);
    EXPECT_EQ(ranked[1].class_index, 0u);
    EXPECT_EQ(ranked[1].unrankable, Unrankable::no_forecast);
    EXPECT_EQ(ranked[2].unrankable, Unrankable::no_price);
    EXPECT_STREQ(to_text(ranked[2].unrankable), "no price is configured for this class");
}

TEST(Ranking, ties_break_by_cost_then_by_class_whatever_the_input_order) {
    const Forecast forecast = epochs_of(10);
    const std::vector<Candidate> one{{0, 1, &forecast, 2}, {1, 1, &forecast, 1}, {2, 1, &forecast}};
    const std::vector<Candidate> other{one[2], one[1], one[0]};
    for (const auto& candidates : {one, other}) {
        const auto ranked = rank_placements(Policy{0, 1, 0}, 3, candidates);
        EXPECT_EQ(ranked[0].class_index, 1u);
        EXPECT_EQ(ranked[1].class_index, 0u);
        EXPECT_EQ(ranked[2].class_index, 2u);
    }
}

TEST(Ranking, adding_a_candidate_does_not_reorder_the_others) {
    const Forecast a = epochs_of(10);
    const Forecast b = epochs_of(20);
    const Forecast c = epochs_of(15);
    const Policy mix{0.5, 0.5, 0};
    const std::vector<Candidate> two{{0, 1, &a, 5}, {1, 1, &b, 1}};
    std::vector<Candidate> three = two;
    three.push_back({2, 1, &c, 2});
    const auto before = rank_placements(mix, 2, two);
    auto after = rank_placements(mix, 2, three);
    std::erase_if(after, [](const RankedPlacement& p) { return p.class_index == 2; });
    EXPECT_EQ(before[0].class_index, after[0].class_index);
    EXPECT_EQ(before[0].utility, after[0].utility);
}

TEST(Ranking, a_class_whose_memory_is_too_small_comes_last_and_says_so) {
    Forecast forecast = epochs_of(10);
    forecast.epoch.peak_memory_bytes = 8e9;
    const std::vector<Candidate> candidates{{0, 1, &forecast, 1, 0, 0, 7'999'999'999},
                                            {1, 1, nullptr, 1},
                                            {2, 1, &forecast, 9, 0, 0, 8'000'000'000},
                                            {3, 1, &forecast, 2}};
    const auto ranked = rank_placements(Policy{1, 0, 0}, 1, candidates);
    EXPECT_EQ(ranked[0].class_index, 3u);
    EXPECT_EQ(ranked[1].class_index, 2u);
    EXPECT_EQ(ranked[2].class_index, 1u);
    EXPECT_EQ(ranked[3].class_index, 0u);
    EXPECT_EQ(ranked[3].unrankable, Unrankable::no_memory);
    EXPECT_STREQ(to_text(ranked[3].unrankable), "its nodes have less memory than this task needs");
}

TEST(Ranking, what_keeps_the_deadline_comes_before_what_has_a_higher_utility) {
    const Forecast cheap = epochs_of(100);
    const Forecast fast = epochs_of(10);
    const std::vector<Candidate> candidates{{0, 1, &cheap, 1}, {1, 1, &fast, 20}};
    EXPECT_EQ(rank_placements(Policy{1, 0, 0}, 1, candidates).front().class_index, 0u);
    const auto ranked = rank_placements(Policy{1, 0, 0}, 1, candidates, Limits{50, absent});
    EXPECT_EQ(ranked.front().class_index, 1u);
    EXPECT_EQ(ranked.back().overrun, 1);
}

TEST(Ranking, many_candidates_are_in_the_order_that_pairs_are) {
    Random random(5);
    std::vector<Forecast> forecasts;
    for (int i = 0; i < 50; ++i) forecasts.push_back(epochs_of(1 + 3 * random.uniform()));
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < 500; ++i) {
        const Forecast* forecast = random.below(10) == 0 ? nullptr : &forecasts[random.below(50)];
        const double price = random.below(10) == 0 ? absent : 1 + random.below(3);
        candidates.push_back({random.below(40), 1 + random.below(4), forecast, price});
    }
    const Policy mix{0.5, 0.5, 0};
    const auto ranked = rank_placements(mix, 3, candidates);
    ASSERT_EQ(ranked.size(), candidates.size());
    for (std::size_t i = 1; i < ranked.size(); ++i) {
        const RankedPlacement& a = ranked[i - 1];
        const RankedPlacement& b = ranked[i];
        ASSERT_FALSE(std::isnan(a.utility) && !std::isnan(b.utility));
        if (std::isnan(b.utility)) continue;
        ASSERT_GE(a.utility, b.utility);
        if (a.utility != b.utility) continue;
        ASSERT_LE(a.criteria.cost, b.criteria.cost);
        if (a.criteria.cost != b.criteria.cost) continue;
        ASSERT_LE(std::tie(a.criteria.time_s, a.class_index, a.nodes),
                  std::tie(b.criteria.time_s, b.class_index, b.nodes));
    }
}

TEST(Ranking, no_candidates_give_no_placements) {
    EXPECT_TRUE(rank_placements(Policy{0, 1, 0}, 1, {}).empty());
}

}  // namespace
}  // namespace epochcast

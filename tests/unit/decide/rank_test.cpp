// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "decide/epochcast_decide.h"
#include "decide/table.hpp"
#include "support/sample_forecasts.hpp"
#include "support/sample_job.hpp"

namespace epochcast {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What ranking gave: all choices, and how many of them are rankable.
struct Ranked {
    std::vector<epochcast_choice_t> choices;
    std::uint32_t rankable = 0;

    std::vector<std::string> names(const epochcast_table& table) const {
        std::vector<std::string> names;
        for (const auto& choice : choices) {
            names.push_back(epochcast_table_class_name(&table, choice.class_index));
        }
        return names;
    }
};

Ranked rank(const epochcast_table& table,
            const epochcast_job_t& job,
            std::vector<std::uint8_t> on = {}) {
    on.resize(table.content.classes.size(), on.empty() ? 1 : 0);
    std::vector<epochcast_offer_t> offers;
    for (const std::uint8_t is_on : on) {
        offers.push_back(is_on == 0 ? epochcast_offer_t{} : sample_offer);
    }
    Ranked ranked;
    ranked.choices.resize(on.size());
    std::uint32_t count = 99;
    ranked.rankable = epochcast_rank(&table, &job, offers.data(), ranked.choices.data(), &count);
    ranked.choices.resize(count);
    return ranked;
}

TEST(Rank, prefers_the_fast_class_by_time_and_the_cheap_one_by_cost) {
    const epochcast_table table(sample_table());
    const epochcast_job_t by_time = sample_job("cnn", "time", 1000, 100, 1);
    const epochcast_job_t by_cost = sample_job("cnn", "cost", 1000, 100, 1);

    const Ranked times = rank(table, by_time);
    const Ranked costs = rank(table, by_cost);

    EXPECT_EQ(times.rankable, 3u);
    EXPECT_THAT(times.names(table), ElementsAre("fast", "mid", "slow"));
    EXPECT_THAT(costs.names(table), ElementsAre("slow", "mid", "fast"));
    const epochcast_choice_t& best = times.choices[0];
    EXPECT_DOUBLE_EQ(best.time_s, 10 + 100 * 10);
    EXPECT_DOUBLE_EQ(best.cost, 8 * 1010.0 / 3600);
    EXPECT_DOUBLE_EQ(best.utility, -std::log(1010.0));
    EXPECT_EQ(best.epoch_s, 10);
    EXPECT_EQ(best.epoch_low_s, 9);
    EXPECT_EQ(best.epoch_high_s, 11);
    EXPECT_EQ(best.price_per_node_hour, 8);
    EXPECT_STREQ(best.basis, "from 12 epochs on this class");
    EXPECT_STREQ(best.reason, "");
}

TEST(Rank, weighs_candidates_alone) {
    const epochcast_table table(sample_table());
    const epochcast_job_t job = sample_job("cnn", "time", 1000, 100, 1);
    EXPECT_THAT(rank(table, job, {0, 1, 1}).names(table), ElementsAre("mid", "slow"));
    EXPECT_THAT(rank(table, job, {0, 0, 0}).names(table), IsEmpty());
}

TEST(Rank, another_number_of_nodes_is_not_guessed) {
    const epochcast_table table(sample_table());
    const Ranked ranked = rank(table, sample_job("cnn", "time", 1000, 1, 2));
    EXPECT_EQ(ranked.rankable, 1u);
    EXPECT_THAT(ranked.names(table), ElementsAre("fast", "mid", "slow"));
    EXPECT_DOUBLE_EQ(ranked.choices[0].cost, 2 * 8 * 16.0 / 3600);
    EXPECT_TRUE(std::isnan(ranked.choices[1].utility));
    EXPECT_STREQ(ranked.choices[1].reason, "no forecast for this number of nodes here");
    EXPECT_STREQ(ranked.choices[1].basis, "");
}

TEST(Rank, a_user_has_his_own_tasks_before_the_clusters) {
    ForecastTable forecasts = sample_table();
    forecasts.tasks = {{{"cluster", "net"}, {sample_placement(0, 1, 5)}},
                       {{"user:1", "net"}, {sample_placement(1, 1, 7)}},
                       {{"user:10", "net"}, {sample_placement(2, 1, 9)}}};
    const epochcast_table table(forecasts);
    EXPECT_EQ(rank(table, sample_job("net", "time", 1, 1, 1)).choices[0].epoch_s, 7);
    EXPECT_EQ(rank(table, sample_job("net", "time", 10, 1, 1)).choices[0].epoch_s, 9);
    EXPECT_EQ(rank(table, sample_job("net", "time", 2, 1, 1)).choices[0].epoch_s, 5);
    EXPECT_EQ(rank(table, sample_job("net", "time", 4294967295u, 1, 1)).choices[0].epoch_s, 5);
}

TEST(Rank, an_unknown_task_changes_nothing_and_says_so) {
    const epochcast_table table(sample_table());
    const Ranked ranked = rank(table, sample_job("unseen", "time", 1000, 1, 1));
    EXPECT_EQ(ranked.rankable, 0u);
    ASSERT_EQ(ranked.choices.size(), 3u);
    EXPECT_STREQ(ranked.choices[0].reason, "no forecast for this task here");
    EXPECT_TRUE(std::isnan(ranked.choices[0].epoch_s));
}

TEST(Rank, without_task_or_policy_there_is_nothing_to_rank) {
    const epochcast_table table(sample_table());
    for (const epochcast_job_t& job : {sample_job(nullptr, "time", 1000, 1, 1),
                                       sample_job("", "time", 1000, 1, 1),
                                       sample_job("cnn", nullptr, 1000, 1, 1),
                                       sample_job("cnn", "off", 1000, 1, 1),
                                       sample_job("cnn", "speed", 1000, 1, 1)}) {
        EXPECT_EQ(rank(table, job).rankable, 0u);
        EXPECT_TRUE(rank(table, job).choices.empty());
    }
}

TEST(Rank, takes_the_default_policy_of_the_table) {
    ForecastTable forecasts = sample_table();
    forecasts.default_policy = "cost";
    const epochcast_table table(forecasts);
    EXPECT_THAT(rank(table, sample_job("cnn", nullptr, 1000, 9, 1)).names(table),
                ElementsAre("slow", "mid", "fast"));
    EXPECT_THAT(rank(table, sample_job("cnn", "time", 1000, 9, 1)).names(table),
                ElementsAre("fast", "mid", "slow"));
    EXPECT_EQ(rank(table, sample_job("cnn", "off", 1000, 9, 1)).rankable, 0u);
}

TEST(Rank, no_epochs_and_no_nodes_count_as_one) {
    const epochcast_table table(sample_table());
    EXPECT_DOUBLE_EQ(rank(table, sample_job("cnn", "time", 1000, 0, 0)).choices[0].time_s, 20);
}

TEST(Rank, a_class_without_price_ranks_last_by_cost) {
    ForecastTable forecasts = sample_table();
    forecasts.classes[2].price_per_node_hour = absent;
    const epochcast_table table(forecasts);
    const Ranked ranked = rank(table, sample_job("cnn", "cost", 1000, 1, 1));
    EXPECT_EQ(ranked.rankable, 2u);
    EXPECT_THAT(ranked.names(table), ElementsAre("mid", "fast", "slow"));
    EXPECT_STREQ(ranked.choices[2].reason, "no price is configured for this class");
    EXPECT_EQ(ranked.choices[2].epoch_s, 40) << "what is known is told all the same";
    EXPECT_EQ(rank(table, sample_job("cnn", "time", 1000, 1, 1)).rankable, 3u);
}

TEST(Rank, survives_the_largest_numbers) {
    ForecastTable forecasts = sample_table();
    forecasts.classes[0].price_per_node_hour = 1e30;
    forecasts.tasks[1].placements[0].forecast.epoch.time_s = 1e30;
    const epochcast_table table(forecasts);
    const Ranked ranked = rank(table, sample_job("cnn", "cost=0.5,time=0.5", 1000, UINT64_MAX, 1));
    EXPECT_EQ(ranked.rankable, 3u);
    for (const auto& choice : ranked.choices) EXPECT_TRUE(std::isfinite(choice.utility));
}

TEST(Rank, null_arguments_rank_nothing) {
    const epochcast_table table(sample_table());
    const epochcast_job_t job = sample_job("cnn", "time", 1000, 1, 1);
    const epochcast_offer_t on[3] = {sample_offer, sample_offer, sample_offer};
    epochcast_choice_t choices[3];
    std::uint32_t count = 7;
    EXPECT_EQ(epochcast_rank(nullptr, &job, on, choices, &count), 0u);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(epochcast_rank(&table, nullptr, on, choices, &count), 0u);
    EXPECT_EQ(epochcast_rank(&table, &job, nullptr, choices, &count), 0u);
    EXPECT_EQ(epochcast_rank(&table, &job, on, nullptr, &count), 0u);
    EXPECT_EQ(epochcast_rank(&table, &job, on, choices, nullptr), 3u);
}

TEST(Rank, a_range_of_nodes_gets_its_best_number_on_each_class) {
    const epochcast_table table(sample_table());
    epochcast_job_t job = sample_job("cnn", "time", 1000, 100, 1);
    job.most_nodes = 4;
    const Ranked by_time = rank(table, job);
    EXPECT_EQ(by_time.rankable, 3u);
    EXPECT_THAT(by_time.names(table), ElementsAre("fast", "mid", "slow"));
    EXPECT_EQ(by_time.choices[0].nodes, 2u);
    EXPECT_DOUBLE_EQ(by_time.choices[0].time_s, 10 + 100 * 6);
    job.policy = "cost";
    EXPECT_EQ(rank(table, job).choices[2].nodes, 1u);  // two fast nodes cost more than one
}

// A class of 4 devices per node, priced by the device: 40, 22 and 14 s on 1, 2 and 4 of them.
ForecastTable table_with_devices() {
    ForecastTable table = sample_table();
    NodeClass gpus{"gpus", {"gpu1"}, absent, absent, 8, absent_count, "a100", 4, 1.0};
    table.classes.push_back(gpus);
    auto& placements = table.tasks[1].placements;
    for (const auto& [devices, seconds] : {std::pair{1u, 40.0}, {2u, 22.0}, {4u, 14.0}}) {
        placements.push_back(sample_placement(3, 1, seconds));
        placements.back().devices_per_node = devices;
    }
    return table;
}

TEST(Rank, a_range_of_devices_gets_its_best_number) {
    const epochcast_table table(table_with_devices());
    epochcast_job_t job = sample_job("cnn", "time", 1000, 100, 1);
    job.least_devices = 1;
    job.most_devices = 4;
    const Ranked by_time = rank(table, job, {0, 0, 0, 1});
    ASSERT_EQ(by_time.rankable, 1u);
    EXPECT_EQ(by_time.choices[0].devices_per_node, 4u);
    EXPECT_EQ(by_time.choices[0].price_per_node_hour, 4);
    job.policy = "cost";
    EXPECT_EQ(rank(table, job, {0, 0, 0, 1}).choices[0].devices_per_node, 1u);
    job.most_devices = 3;
    job.policy = "time";
    EXPECT_EQ(rank(table, job, {0, 0, 0, 1}).choices[0].devices_per_node, 2u);
}

TEST(Rank, a_job_that_asks_for_no_devices_takes_the_nodes_as_they_are) {
    const epochcast_table table(table_with_devices());
    const Ranked ranked = rank(table, sample_job("cnn", "time", 1000, 100, 1), {0, 0, 0, 1});
    ASSERT_EQ(ranked.rankable, 1u);
    EXPECT_EQ(ranked.choices[0].devices_per_node, 0u);
    EXPECT_EQ(ranked.choices[0].epoch_s, 14);
    EXPECT_EQ(ranked.choices[0].price_per_node_hour, 4);
}

TEST(Rank, what_keeps_deadline_and_budget_comes_first) {
    const epochcast_table table(sample_table());
    epochcast_job_t job = sample_job("cnn", "cost", 1000, 100, 1);
    job.deadline_s = 2500;  // slow needs 4010 s
    EXPECT_THAT(rank(table, job).names(table), ElementsAre("mid", "fast", "slow"));
    job.policy = "time";
    job.deadline_s = absent;
    job.budget = 2;  // fast costs 2.24
    EXPECT_THAT(rank(table, job).names(table), ElementsAre("mid", "slow", "fast"));
}

TEST(Rank, too_little_memory_ranks_last) {
    ForecastTable forecasts = sample_table();
    forecasts.classes[0].memory_bytes = 1u << 30;  // the task needs 3 GB
    const epochcast_table table(forecasts);
    EXPECT_THAT(rank(table, sample_job("cnn", "time", 1000, 100, 1)).names(table),
                ElementsAre("mid", "slow", "fast"));
}

TEST(Rank, what_a_class_offers_bounds_its_placement) {
    const epochcast_table table(sample_table());
    epochcast_job_t job = sample_job("cnn", "time", 1000, 100, 1);
    job.most_nodes = 4;
    epochcast_offer_t offers[3] = {{1, UINT32_MAX, 3600}, sample_offer, {}};
    epochcast_choice_t choices[3];
    std::uint32_t count = 0;
    ASSERT_EQ(epochcast_rank(&table, &job, offers, choices, &count), 2u);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(choices[0].class_index, 1u);  // mid now is better than one fast node in an hour
    EXPECT_EQ(choices[1].nodes, 1u);
    EXPECT_DOUBLE_EQ(choices[1].time_s, 3600 + 10 + 100 * 10);
}

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "decide/epochcast_decide.h"
#include "decide/table.hpp"
#include "support/sample_forecasts.hpp"
#include "support/sample_job.hpp"

namespace epochcast {
namespace {

// The sample table of a site that wants limits, after five recorded jobs of cnn.
ForecastTable limiting_table() {
    ForecastTable table = sample_table();
    table.settings.set_limits = true;
    for (TaskForecasts& task : table.tasks) task.runs = 5;
    return table;
}

using Offers = std::array<epochcast_offer_t, 3>;
constexpr Offers everything{sample_offer, sample_offer, sample_offer};

std::uint32_t limit(const ForecastTable& forecasts,
                    const epochcast_job_t& job,
                    const Offers& offers = everything) {
    const epochcast_table table(forecasts);
    return epochcast_table_time_limit_min(&table, &job, offers.data());
}

TEST(Submission, a_time_limit_holds_on_the_slowest_class_that_the_job_may_get) {
    const epochcast_job_t job = sample_job("cnn", "cost", 1000, 90, 1);
    // 10 s + 90 epochs x 2 x 40 s = 7210 s.
    EXPECT_EQ(limit(limiting_table(), job), 121u);
    // Without slow: 10 s + 90 x 2 x 20 s.
    EXPECT_EQ(limit(limiting_table(), job, {sample_offer, sample_offer, epochcast_offer_t{}}), 61u);
}

TEST(Submission, the_job_may_get_as_few_nodes_as_it_accepts) {
    epochcast_job_t job = sample_job("cnn", "time", 1000, 90, 1);
    job.most_nodes = 2;
    const Offers fast_alone{sample_offer, epochcast_offer_t{}, epochcast_offer_t{}};
    EXPECT_EQ(limit(limiting_table(), job, fast_alone), 31u) << "10 s an epoch on one node";
    job.least_nodes = 2;
    EXPECT_EQ(limit(limiting_table(), job, fast_alone), 19u) << "6 s on two";
}

TEST(Submission, policy_deadline_and_budget_do_not_shorten_a_limit) {
    epochcast_job_t job = sample_job("cnn", "off", 1000, 90, 1);
    job.deadline_s = 1;
    job.budget = 0.01;
    EXPECT_EQ(limit(limiting_table(), job), 121u);
}

TEST(Submission, there_is_no_limit_where_it_would_be_a_guess) {
    const epochcast_job_t job = sample_job("cnn", "time", 1000, 90, 1);
    ForecastTable table = limiting_table();
    table.settings.set_limits = false;
    EXPECT_EQ(limit(table, job), 0u) << "the site does not want them";
    table = limiting_table();
    table.tasks[1].runs = 2;
    EXPECT_EQ(limit(table, job), 0u) << "two jobs are too few";
    table = limiting_table();
    EXPECT_EQ(limit(table, sample_job("cnn", "time", 1000, 0, 1)), 0u) << "epochs not stated";
    EXPECT_EQ(limit(table, sample_job("new", "time", 1000, 90, 1)), 0u) << "task not known";
    EXPECT_EQ(limit(table, sample_job("cnn", "time", 1001, 90, 1)), 0u) << "another user's task";
    EXPECT_EQ(limit(table, sample_job("mlp", "time", 1000, 90, 1)), 0u)
        << "two classes without a forecast";
    EXPECT_EQ(limit(table, job, Offers{}), 0u) << "no class at all";
    EXPECT_EQ(limit(table, sample_job(nullptr, nullptr, 1000, 90, 1)), 0u);
    EXPECT_EQ(epochcast_table_time_limit_min(nullptr, &job, everything.data()), 0u);
    const epochcast_table limiting(table);
    EXPECT_EQ(epochcast_table_time_limit_min(&limiting, nullptr, everything.data()), 0u);
    EXPECT_EQ(epochcast_table_time_limit_min(&limiting, &job, nullptr), 0u);
}

std::string allowed(const epochcast_table_t* table, const char* partition) {
    char text[64] = "not touched";
    epochcast_table_allowed(table, partition, text, sizeof text);
    return text;
}

TEST(Submission, allowed_policies_are_listed) {
    ForecastTable forecasts = sample_table();
    forecasts.partitions.push_back({"none", Mode::on, {"off"}});
    forecasts.partitions.push_back({"many", Mode::on, {}});
    for (int i = 0; i < 50; ++i) forecasts.partitions.back().allowed_policies.emplace_back("time");
    const epochcast_table table(forecasts);
    EXPECT_EQ(allowed(&table, "trial"), "cost, or off");
    EXPECT_EQ(allowed(&table, "none"), "off");
    EXPECT_EQ(allowed(&table, "main"), "") << "all of them";
    EXPECT_EQ(allowed(&table, "unnamed"), "");
    EXPECT_EQ(allowed(&table, nullptr), "");
    EXPECT_EQ(allowed(nullptr, "main"), "");
    EXPECT_EQ(allowed(&table, "many").size(), 63u) << "cut where the buffer ends";
}

}  // namespace
}  // namespace epochcast

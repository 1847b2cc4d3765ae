// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <memory>

#include "decide/epochcast_decide.h"
#include "decide/table.hpp"
#include "forecast_file/forecast_file.hpp"
#include "support/sample_forecasts.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;

constexpr std::int64_t now = sample_written_unix_s + 60;

struct FreeTable {
    void operator()(epochcast_table_t* table) const { epochcast_table_free(table); }
};
using Table = std::unique_ptr<epochcast_table_t, FreeTable>;

class DecideTableTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(write_forecast_file(dir_.path(), sample_table()).ok()); }
    Table read(std::int64_t at = now) {
        return Table(epochcast_table_read(dir_.path().c_str(), at, message_, sizeof message_));
    }

    const TemporaryDir dir_;
    char message_[EPOCHCAST_MESSAGE_SIZE] = "not touched";
};

TEST_F(DecideTableTest, answers_what_a_plugin_asks) {
    const Table table = read();

    ASSERT_NE(table, nullptr) << message_;
    EXPECT_STREQ(message_, "");
    EXPECT_EQ(epochcast_table_classes(table.get()), 3u);
    EXPECT_STREQ(epochcast_table_class_name(table.get(), 1), "mid");
    EXPECT_EQ(epochcast_table_class_of_node(table.get(), "slow2"), 2);
    EXPECT_EQ(epochcast_table_mode(table.get(), "main"), EPOCHCAST_MODE_ON);
    EXPECT_EQ(epochcast_table_mode(table.get(), "trial"), EPOCHCAST_MODE_SHADOW);
    EXPECT_STREQ(epochcast_table_default_policy(table.get()), "");
    EXPECT_STREQ(epochcast_table_decision_dir(table.get()), "/var/lib/epochcast/decisions");
}

TEST_F(DecideTableTest, what_is_not_named_is_off_or_nothing) {
    const Table table = read();
    EXPECT_EQ(epochcast_table_mode(table.get(), "other"), EPOCHCAST_MODE_OFF);
    EXPECT_EQ(epochcast_table_mode(table.get(), nullptr), EPOCHCAST_MODE_OFF);
    EXPECT_EQ(epochcast_table_class_of_node(table.get(), "fast"), -1);
    EXPECT_EQ(epochcast_table_class_of_node(table.get(), ""), -1);
    EXPECT_EQ(epochcast_table_class_of_node(table.get(), nullptr), -1);
    EXPECT_STREQ(epochcast_table_class_name(table.get(), 3), "");
}

TEST_F(DecideTableTest, no_table_answers_like_an_empty_one) {
    EXPECT_EQ(epochcast_table_classes(nullptr), 0u);
    EXPECT_STREQ(epochcast_table_class_name(nullptr, 0), "");
    EXPECT_EQ(epochcast_table_class_of_node(nullptr, "fast1"), -1);
    EXPECT_EQ(epochcast_table_mode(nullptr, "main"), EPOCHCAST_MODE_OFF);
    EXPECT_EQ(epochcast_table_allows(nullptr, "main", "time"), 0);
    EXPECT_STREQ(epochcast_table_default_policy(nullptr), "");
    EXPECT_STREQ(epochcast_table_decision_dir(nullptr), "");
    epochcast_table_free(nullptr);
}

TEST_F(DecideTableTest, allow_lists_compare_what_policies_mean) {
    ForecastTable forecasts = sample_table();
    forecasts.partitions = {{"all", Mode::on, {}},
                            {"some", Mode::on, {"cost", "cost=1,time=1"}},
                            {"none", Mode::on, {"off"}}};
    ASSERT_TRUE(write_forecast_file(dir_.path(), forecasts).ok());
    const Table table = read();
    const auto allows = [&](const char* partition, const char* policy) {
        return epochcast_table_allows(table.get(), partition, policy);
    };
    EXPECT_EQ(allows("all", "time"), 1);
    EXPECT_EQ(allows("unnamed", "time"), 1);
    EXPECT_EQ(allows("some", "cost"), 1);
    EXPECT_EQ(allows("some", "cost=7"), 1);
    EXPECT_EQ(allows("some", "time=0.5,cost=0.5"), 1);
    EXPECT_EQ(allows("some", "time"), 0);
    EXPECT_EQ(allows("some", "nonsense"), 0);
    EXPECT_EQ(allows("some", "off"), 1);
    EXPECT_EQ(allows("none", "off"), 1);
    EXPECT_EQ(allows("none", "cost"), 0);
    EXPECT_EQ(allows("some", nullptr), 0);
}

TEST_F(DecideTableTest, a_file_off_switches_off) {
    write_in_place(dir_.path() / "off", std::string_view());
    EXPECT_EQ(read(), nullptr);
    EXPECT_THAT(message_, HasSubstr("switched off by the file"));
    std::filesystem::remove(dir_.path() / "off");
    std::filesystem::create_symlink("nowhere", dir_.path() / "off");
    EXPECT_EQ(read(), nullptr) << "a link that leads nowhere is there all the same";
    std::filesystem::remove(dir_.path() / "off");
    EXPECT_NE(read(), nullptr);
}

TEST_F(DecideTableTest, unusable_files_give_no_table_and_a_reason) {
    EXPECT_EQ(read(now + 3600), nullptr);
    EXPECT_THAT(message_, HasSubstr("is stale: 1 h 01 min old"));
    write_in_place(dir_.path() / "default.fb", std::string_view("noise"));
    EXPECT_EQ(read(), nullptr);
    EXPECT_THAT(message_, HasSubstr("'default.fb': not a forecast file"));
    EXPECT_EQ(epochcast_table_read(nullptr, now, message_, sizeof message_), nullptr);
    EXPECT_EQ(epochcast_table_read("/nowhere", now, nullptr, 0), nullptr);
}

TEST(Table, distrusts_nodes_whose_ping_failed) {
    ForecastTable forecasts = sample_table();
    for (const char* node : {"fast1", "fast2", "mid1", "slow1", "slow2"}) {
        forecasts.node_states.push_back({node, 5000, true, 0, false});
    }
    forecasts.node_states[0].answered = false;
    const epochcast_table table(forecasts);
    EXPECT_EQ(epochcast_table_ping_failed(&table, "fast1"), 1);
    EXPECT_EQ(epochcast_table_ping_failed(&table, "fast2"), 0);
    EXPECT_EQ(epochcast_table_ping_failed(&table, nullptr), 0);
    EXPECT_EQ(epochcast_table_pings_fresh_until(&table), 5090);
}

TEST(Table, distrusts_the_pings_where_more_than_a_fifth_failed) {
    ForecastTable forecasts = sample_table();
    for (const char* node : {"fast1", "fast2", "mid1", "slow1", "slow2"}) {
        forecasts.node_states.push_back({node, 5000, node[0] != 'f', 0, false});
    }
    const epochcast_table table(forecasts);
    EXPECT_EQ(epochcast_table_ping_failed(&table, "fast1"), 0);
    EXPECT_EQ(epochcast_table_pings_fresh_until(&table), 0);
}

TEST(Table, an_old_ping_says_nothing) {
    ForecastTable forecasts = sample_table();
    for (int i = 0; i < 10; ++i) {
        forecasts.node_states.push_back({"n" + std::to_string(i), 5000, true, 0, false});
    }
    forecasts.node_states[0] = {"n0", 4000, false, 0, false};
    const epochcast_table table(forecasts);
    EXPECT_EQ(epochcast_table_ping_failed(&table, "n0"), 0);
}

TEST(Table, tells_a_jobs_place_in_the_plan_while_it_is_fresh) {
    ForecastTable forecasts = sample_table();
    forecasts.plan = {{7, 2, 0, 6000, 5000, 5060}, {9, 0, 1, 6500, 5000, 5060}};
    const epochcast_table table(forecasts);
    epochcast_planned_t planned{};
    ASSERT_EQ(epochcast_table_planned(&table, 9, 5060, &planned), 1);
    EXPECT_EQ(planned.class_index, 0u);
    EXPECT_EQ(planned.order, 1u);
    EXPECT_EQ(planned.jobs, 2u);
    EXPECT_EQ(planned.start_unix_s, 6500);
    EXPECT_EQ(epochcast_table_planned(&table, 9, 5061, &planned), 0);
    EXPECT_EQ(epochcast_table_planned(&table, 8, 5000, &planned), 0);
    EXPECT_EQ(epochcast_table_planned(nullptr, 9, 5000, &planned), 0);
    EXPECT_NE(epochcast_table_plan_version(&table, 5060), 0u);
    EXPECT_EQ(epochcast_table_plan_version(&table, 5061), 0u);
}

TEST(Table, allows_the_plugins_nothing_unless_it_says_so) {
    ForecastTable forecasts = sample_table();
    const epochcast_table shipped(forecasts);
    EXPECT_EQ(epochcast_table_set_limits(&shipped), 0);
    EXPECT_EQ(epochcast_table_site_factor_most(&shipped), 0u);
    EXPECT_EQ(epochcast_table_wait_most_s(&shipped), 0u);
    forecasts.settings = {true, 1000, 1800};
    const epochcast_table allowed(forecasts);
    EXPECT_EQ(epochcast_table_set_limits(&allowed), 1);
    EXPECT_EQ(epochcast_table_site_factor_most(&allowed), 1000u);
    EXPECT_EQ(epochcast_table_wait_most_s(&allowed), 1800u);
}

}  // namespace
}  // namespace epochcast

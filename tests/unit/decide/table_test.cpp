// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <memory>

#include "decide/epochcast_decide.h"
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

}  // namespace
}  // namespace epochcast

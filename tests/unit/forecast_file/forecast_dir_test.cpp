// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/forecast_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "forecast_file/forecast_file.hpp"
#include "support/sample_forecasts.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t now = sample_written_unix_s + 60;

// The sample table under another name, written `age_s` before now.
ForecastTable table_of(const char* service, std::int64_t age_s) {
    ForecastTable table = sample_table();
    table.service = service;
    table.written_unix_s = now - age_s;
    return table;
}

// A folder of forecast files and what reading it gave.
class ForecastDirTest : public testing::Test {
  protected:
    void add(const ForecastTable& table) {
        const auto written = write_forecast_file(dir_.path(), table);
        ASSERT_TRUE(written.ok()) << written.error().message;
    }
    Result<ForecastTable> read(std::int64_t at = now) {
        problems_.clear();
        return read_forecast_dir(dir_.path(), at, problems_);
    }

    const TemporaryDir dir_;
    std::vector<std::string> problems_;
};

TEST_F(ForecastDirTest, joins_what_several_services_know) {
    ForecastTable gpu = table_of("gpu", 10);
    gpu.classes = {{"gpu", {"g1", "g2"}, 1e13, 30, 64, absent_count}};
    gpu.partitions = {{"gpus", Mode::on, {}}};
    gpu.tasks = {{{"cluster", "llm"}, {sample_placement(0, 1, 100)}},
                 {{"user:1000", "cnn"}, {sample_placement(0, 1, 1), sample_placement(0, 2, 0.7)}}};
    add(table_of("cpu", 20));
    add(gpu);

    const auto table = read();

    ASSERT_TRUE(table.ok()) << table.error().message;
    EXPECT_THAT(problems_, IsEmpty());
    ASSERT_EQ(table.value().classes.size(), 4u);
    EXPECT_EQ(table.value().classes[0].name, "gpu");
    EXPECT_EQ(table.value().partitions.size(), 3u);
    ASSERT_EQ(table.value().tasks.size(), 3u);
    const TaskForecasts& cnn = table.value().tasks[2];
    ASSERT_EQ(cnn.placements.size(), 6u);
    EXPECT_EQ(cnn.placements[0].forecast.epoch.time_s, 1);
    EXPECT_EQ(cnn.placements[2].class_index, 1u);  // fast, behind gpu
    EXPECT_EQ(cnn.placements[2].forecast.epoch.time_s, 10);
    EXPECT_TRUE(encode_forecast_table(table.value()).ok()) << "the result is a valid table";
}

TEST_F(ForecastDirTest, the_newer_file_wins_per_placement_and_partition) {
    ForecastTable newer = table_of("a", 10);
    newer.classes[0].price_per_node_hour = 80;
    std::swap(newer.classes[0], newer.classes[2]);  // the same classes, numbered otherwise
    newer.tasks = {{{"user:1000", "cnn"}, {sample_placement(2, 1, 11)}}};
    newer.partitions = {{"main", Mode::off, {}}};
    add(newer);
    add(table_of("b", 20));

    const auto table = read();

    ASSERT_TRUE(table.ok());
    EXPECT_EQ(table.value().service, "a");
    EXPECT_EQ(table.value().partitions[0].mode, Mode::off);
    EXPECT_EQ(table.value().partitions.size(), 2u);
    EXPECT_EQ(table.value().classes[2].price_per_node_hour, 80);
    const auto& placements = table.value().tasks[1].placements;
    ASSERT_EQ(placements.size(), 4u);
    EXPECT_EQ(placements[0].forecast.epoch.time_s, 40);  // slow is class 0 now
    EXPECT_EQ(placements[2].forecast.epoch.time_s, 11);  // fast, from the newer
    EXPECT_EQ(placements[3].forecast.epoch.time_s, 6);   // two fast ones, from the older
}

TEST_F(ForecastDirTest, an_older_file_that_contradicts_is_left_out) {
    ForecastTable older = table_of("older", 30);
    older.classes[0].nodes = {"fast1", "fast9"};
    add(older);
    ForecastTable regrouped = table_of("regrouped", 20);
    regrouped.classes[0].name = "quick";
    add(regrouped);
    add(table_of("newest", 10));

    const auto table = read();

    ASSERT_TRUE(table.ok());
    EXPECT_EQ(table.value().classes.size(), 3u);
    EXPECT_THAT(problems_,
                ElementsAre("'regrouped.fb': contradicts a newer file: node 'fast1' is in class "
                            "'fast' there",
                            "'older.fb': contradicts a newer file: class 'fast' has other nodes "
                            "there"));
}

TEST_F(ForecastDirTest, the_order_of_nodes_in_a_class_is_no_contradiction) {
    ForecastTable older = table_of("older", 30);
    older.classes[0].nodes = {"fast2", "fast1"};
    add(older);
    add(table_of("newer", 10));
    EXPECT_TRUE(read().ok());
    EXPECT_THAT(problems_, IsEmpty());
}

TEST_F(ForecastDirTest, a_bad_file_drops_only_itself) {
    add(table_of("good", 10));
    const std::string good = text_of(dir_.path() / "good.fb");
    write_in_place(dir_.path() / "cut.fb", std::string_view(good).substr(0, 100));
    write_in_place(dir_.path() / "empty.fb", std::string_view());
    write_in_place(dir_.path() / "noise.fb", std::string_view("#!/bin/sh\n"));
    std::filesystem::create_directory(dir_.path() / "folder.fb");

    EXPECT_TRUE(read().ok());
    EXPECT_THAT(problems_,
                ElementsAre("'cut.fb': truncated: 100 of " + std::to_string(good.size()) + " bytes",
                            "'empty.fb': empty",
                            HasSubstr("'folder.fb': cannot read"),
                            "'noise.fb': not a forecast file"));
}

TEST_F(ForecastDirTest, a_stale_file_drops_only_itself) {
    add(table_of("fresh", 3600));
    add(table_of("old", 3601));
    ForecastTable ageless = table_of("ageless", 1'000'000);
    ageless.max_age_s = 0;
    add(ageless);
    ForecastTable future = table_of("future", -3601);
    add(future);

    EXPECT_TRUE(read().ok());
    EXPECT_THAT(problems_,
                ElementsAre("'future.fb': was written in the future; check the clocks",
                            "'old.fb': is stale: 1 h 00 min old, at most 1 h 00 min are allowed"));
}

TEST_F(ForecastDirTest, knows_until_when_it_holds) {
    add(table_of("a", 100));
    add(table_of("b", 200));
    std::vector<ForecastFileProblem> problems;
    const auto loaded = load_forecast_dir(dir_.path(), now, problems);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded.value().fresh_until_unix_s, now - 200 + 3600);
    EXPECT_TRUE(read(now - 200 + 3600).ok());
    EXPECT_THAT(problems_, IsEmpty());
    EXPECT_TRUE(read(now - 200 + 3601).ok());
    EXPECT_EQ(problems_.size(), 1u);
}

TEST_F(ForecastDirTest, a_file_that_became_bad_counts_as_it_was_until_that_is_stale) {
    add(table_of("a", 100));
    add(table_of("b", 200));
    LastGood last_good;
    std::vector<ForecastFileProblem> problems;
    ASSERT_TRUE(load_forecast_dir(dir_.path(), now, problems, &last_good).ok());
    ASSERT_THAT(problems, IsEmpty());
    ASSERT_EQ(last_good.files.size(), 2u);

    write_in_place(dir_.path() / "b.fb", std::string_view("bad"));
    std::filesystem::remove(dir_.path() / "a.fb");
    const auto kept = load_forecast_dir(dir_.path(), now, problems, &last_good);
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(kept.value().table->service, "b");
    EXPECT_EQ(kept.value().fresh_until_unix_s, now - 200 + 3600);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_TRUE(problems[0].replaced);
    EXPECT_EQ(last_good.files.size(), 1u) << "what is gone is forgotten";

    EXPECT_FALSE(load_forecast_dir(dir_.path(), now - 200 + 3601, problems, &last_good).ok());
    EXPECT_FALSE(problems[0].replaced);
    EXPECT_FALSE(load_forecast_dir(dir_.path(), now, problems).ok());
    std::filesystem::remove(dir_.path() / "b.fb");
    EXPECT_FALSE(load_forecast_dir(dir_.path(), now, problems, &last_good).ok());
    EXPECT_THAT(last_good.files, IsEmpty());
}

TEST_F(ForecastDirTest, without_a_usable_file_there_is_an_error) {
    EXPECT_EQ(read().error().kind, ErrorKind::environment);
    EXPECT_THAT(read().error().message, HasSubstr("no forecast file (*.fb) in"));

    write_in_place(dir_.path() / "a.fb", std::string_view());
    write_in_place(dir_.path() / "b.txt", std::string_view("not looked at"));
    write_in_place(dir_.path() / ".hidden.fb", std::string_view("not looked at"));
    EXPECT_EQ(read().error().kind, ErrorKind::bad_input);
    EXPECT_THAT(read().error().message, HasSubstr("; 'a.fb': empty"));
    EXPECT_EQ(problems_.size(), 1u);

    std::vector<std::string> problems;
    const auto missing = read_forecast_dir(dir_.path() / "missing", now, problems);
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error().message, HasSubstr("/missing': No such file"));
    EXPECT_FALSE(read_forecast_dir("", now, problems).ok());
}

TEST_F(ForecastDirTest, a_file_that_may_not_be_read_drops_only_itself) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    add(table_of("good", 10));
    add(table_of("secret", 10));
    std::filesystem::permissions(dir_.path() / "secret.fb", std::filesystem::perms::none);
    EXPECT_TRUE(read().ok());
    EXPECT_THAT(problems_, ElementsAre(HasSubstr("Permission denied")));
}

TEST_F(ForecastDirTest, all_files_together_are_bounded) {
    for (const char* service : {"a", "b", "c"}) {
        ForecastTable table = large_table(1000, 35);
        table.service = service;
        table.written_unix_s = now;
        add(table);
    }
    EXPECT_TRUE(read().ok());
    EXPECT_THAT(problems_, ElementsAre("'c.fb': with it the files of this folder exceed 16 MiB"));
}

TEST_F(ForecastDirTest, the_number_of_files_is_bounded) {
    add(table_of("000", 10));
    for (std::size_t i = 0; i < max_forecast_files; ++i) {
        write_in_place(dir_.path() / ("x" + std::to_string(i) + ".fb"), std::string_view());
    }
    EXPECT_TRUE(read().ok());
    EXPECT_THAT(problems_, testing::Contains(HasSubstr("too many files")));
}

}  // namespace
}  // namespace epochcast

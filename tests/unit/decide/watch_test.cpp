// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <thread>

#include "decide/epochcast_decide.h"
#include "forecast_file/forecast_file.hpp"
#include "support/eventually.hpp"
#include "support/sample_forecasts.hpp"
#include "support/sample_job.hpp"
#include "support/temporary_dir.hpp"
#include "unit/decide/log_lines.hpp"

namespace epochcast {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

struct StopWatch {
    void operator()(epochcast_watch_t* watch) const { epochcast_watch_stop(watch); }
};
using Watch = std::unique_ptr<epochcast_watch_t, StopWatch>;

ForecastTable table_of_today() {
    ForecastTable table = sample_table();
    table.written_unix_s = std::time(nullptr);
    return table;
}

class WatchTest : public testing::Test {
  protected:
    WatchTest() { LogLines::taken(); }

    void write(const ForecastTable& table) {
        const auto written = write_forecast_file(dir_.path(), table);
        ASSERT_TRUE(written.ok()) << written.error().message;
    }
    // By rename, so that no state in between is seen.
    void replace(std::string_view content) {
        write_in_place(dir_.path() / "new", content);
        std::filesystem::rename(dir_.path() / "new", dir_.path() / "default.fb");
    }
    Watch start() { return Watch(epochcast_watch_start(dir_.path().c_str(), LogLines::add)); }

    const TemporaryDir dir_;
};

bool has_table(const Watch& watch) { return epochcast_watch_table(watch.get()) != nullptr; }

TEST_F(WatchTest, follows_the_folder) {
    write(table_of_today());
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    EXPECT_EQ(epochcast_table_classes(epochcast_watch_table(watch.get())), 3u);

    ForecastTable more = table_of_today();
    more.classes.push_back({"gpu", {"g1"}, 1e13, 30, 64, absent_count});
    write(more);
    EXPECT_TRUE(eventually([&] {
        return epochcast_table_class_of_node(epochcast_watch_table(watch.get()), "g1") == 3;
    }));

    std::filesystem::remove(dir_.path() / "default.fb");
    EXPECT_TRUE(eventually([&] { return !has_table(watch); }));
}

TEST_F(WatchTest, off_acts_within_two_seconds) {
    write(table_of_today());
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));

    write_in_place(dir_.path() / "off", std::string_view());
    EXPECT_TRUE(eventually([&] { return !has_table(watch); }, seconds(2)));
    std::filesystem::remove(dir_.path() / "off");
    EXPECT_TRUE(eventually([&] { return has_table(watch); }, seconds(2)));

    EXPECT_THAT(LogLines::taken(),
                ElementsAre(StartsWith("forecasts in use: 2 tasks on 3 node class"),
                            StartsWith("switched off by the file"),
                            StartsWith("forecasts in use")));
}

TEST_F(WatchTest, tells_each_change_of_state_once) {
    write(table_of_today());
    const std::string good = text_of(dir_.path() / "default.fb");
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    EXPECT_THAT(LogLines::taken(), ElementsAre(StartsWith("forecasts in use")));

    replace(std::string_view(good).substr(0, 200));
    EXPECT_TRUE(eventually([] { return LogLines::count() != 0; }));
    replace(std::string_view(good).substr(0, 100));
    std::this_thread::sleep_for(milliseconds(600));
    EXPECT_THAT(
        LogLines::taken(),
        ElementsAre(HasSubstr("in use: 2 tasks on 3 node classes (written by 'default'); as "
                              "it was before: 'default.fb': truncated")));

    replace(std::string(good.size(), '?'));
    EXPECT_TRUE(eventually([] { return LogLines::count() != 0; }));
    EXPECT_THAT(LogLines::taken(), ElementsAre(HasSubstr("'default.fb': not a forecast file")));
    EXPECT_TRUE(has_table(watch)) << "the last good one is kept";

    replace(good);
    EXPECT_TRUE(eventually([] { return LogLines::count() != 0; }));
    EXPECT_THAT(LogLines::taken(), ElementsAre(testing::Not(HasSubstr("before"))));
}

TEST_F(WatchTest, a_file_that_is_removed_is_not_kept) {
    write(table_of_today());
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    std::filesystem::remove(dir_.path() / "default.fb");
    ASSERT_TRUE(eventually([&] { return !has_table(watch); }));
    replace("bad");
    EXPECT_TRUE(eventually([] { return LogLines::count() == 3; }));
    EXPECT_FALSE(has_table(watch));
}

TEST_F(WatchTest, the_last_good_content_gets_stale_too) {
    ForecastTable table = table_of_today();
    table.max_age_s = 2;
    write(table);
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    replace("bad");
    EXPECT_TRUE(eventually([&] { return !has_table(watch); }, seconds(5)));
}

TEST_F(WatchTest, a_bad_file_beside_a_good_one_is_told_and_left_out) {
    write(table_of_today());
    write_in_place(dir_.path() / "other.fb", std::string_view());
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    EXPECT_TRUE(eventually([] { return LogLines::count() != 0; }));
    EXPECT_THAT(LogLines::taken(), ElementsAre(HasSubstr("; left out 'other.fb': empty")));
}

TEST_F(WatchTest, a_table_is_dropped_when_it_gets_stale) {
    ForecastTable table = table_of_today();
    table.max_age_s = 2;
    write(table);
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    EXPECT_TRUE(eventually([&] { return !has_table(watch); }, seconds(5)));
    EXPECT_TRUE(eventually([] { return LogLines::count() == 2; }));
    EXPECT_THAT(LogLines::taken(), ElementsAre(HasSubstr("in use"), HasSubstr("is stale")));
}

TEST_F(WatchTest, a_folder_may_be_made_later) {
    const auto later = dir_.path() / "later";
    const Watch watch(epochcast_watch_start(later.c_str(), LogLines::add));
    EXPECT_TRUE(eventually([] { return LogLines::count() == 1; }));
    EXPECT_THAT(LogLines::taken(), ElementsAre(HasSubstr("later': No such file")));
    EXPECT_FALSE(has_table(watch));
    std::filesystem::create_directory(later);
    ASSERT_TRUE(write_forecast_file(later, table_of_today()).ok());
    EXPECT_TRUE(eventually([&] { return has_table(watch); }));
}

// What the scheduler does, while someone writes the file in place as fast as he can: each table it
// gets is one of those written as a whole, or none.
TEST_F(WatchTest, a_file_overwritten_all_the_time_never_gives_a_mixed_table) {
    ForecastTable other = table_of_today();
    for (auto& placement : other.tasks[1].placements) placement.forecast.epoch.time_s *= 3;
    const auto first = encode_forecast_table(table_of_today()).value();
    const auto second = encode_forecast_table(other).value();
    write(table_of_today());
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    std::jthread writer([&](const std::stop_token& stop) {
        for (int i = 0; !stop.stop_requested(); ++i) {
            write_in_place(dir_.path() / "default.fb",
                           std::span<const std::uint8_t>(i % 2 == 0 ? second : first));
            // Now and then it stands still, so that the reader gets a whole one.
            if (i % 500 == 0) std::this_thread::sleep_for(milliseconds(20));
        }
    });

    const epochcast_job_t job = sample_job("cnn", "time", 1000, 1, 1);
    const epochcast_offer_t on[3] = {sample_offer, sample_offer, sample_offer};
    const auto end = std::chrono::steady_clock::now() + milliseconds(1200);
    int ranked = 0;
    while (std::chrono::steady_clock::now() < end) {
        const epochcast_table_t* table = epochcast_watch_table(watch.get());
        if (table == nullptr) continue;
        ++ranked;
        epochcast_choice_t choices[3];
        std::uint32_t count = 0;
        ASSERT_EQ(epochcast_rank(table, &job, on, choices, &count), 3u);
        const double factor = choices[0].epoch_s / 10;
        ASSERT_TRUE(factor == 1 || factor == 3) << factor;
        ASSERT_EQ(choices[1].epoch_s, 20 * factor);
        ASSERT_EQ(choices[2].epoch_s, 40 * factor);
    }
    writer.request_stop();
    writer.join();
    EXPECT_GT(ranked, 0);
    replace({reinterpret_cast<const char*>(first.data()), first.size()});
    EXPECT_TRUE(eventually([&] { return has_table(watch); }));
}

TEST_F(WatchTest, blocks_all_signals_in_its_thread) {
    const Watch watch = start();
    const auto blocked_by_watch = [] {
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
            const std::string status = text_of(task.path() / "status");
            if (status.find("epochcast-watch") == std::string::npos) continue;
            const auto at = status.find("SigBlk:\t");
            return std::stoull(status.substr(at + 8, 16), nullptr, 16);
        }
        return 0ull;
    };
    // KILL, STOP and the two that glibc keeps for itself cannot be blocked.
    constexpr auto all = 0xFFFFFFFE7FFBFEFFull;
    EXPECT_TRUE(eventually([&] { return (blocked_by_watch() & all) == all; }));
    sigset_t ours;
    pthread_sigmask(SIG_BLOCK, nullptr, &ours);
    EXPECT_EQ(sigismember(&ours, SIGTERM), 0) << "the starting thread keeps its own";
}

TEST_F(WatchTest, stops_without_waiting_for_its_next_round) {
    auto shortest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 5; ++i) {
        Watch watch = start();
        const auto begin = std::chrono::steady_clock::now();
        watch.reset();
        shortest = std::min(shortest, std::chrono::steady_clock::now() - begin);
    }
    EXPECT_LT(shortest, milliseconds(100));
}

TEST_F(WatchTest, null_is_survived) {
    EXPECT_EQ(epochcast_watch_start(nullptr, nullptr), nullptr);
    EXPECT_EQ(epochcast_watch_table(nullptr), nullptr);
    epochcast_watch_stop(nullptr);
    const Watch silent(epochcast_watch_start("/nowhere", nullptr));
    EXPECT_NE(silent, nullptr);
}

TEST_F(WatchTest, a_forked_child_may_use_and_stop_what_it_inherited) {
    write(table_of_today());
    const Watch watch = start();
    ASSERT_TRUE(eventually([&] { return has_table(watch); }));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::alarm(5);
        const bool is_there = epochcast_watch_table(watch.get()) != nullptr;
        epochcast_watch_stop(watch.get());
        ::_exit(is_there ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_TRUE(has_table(watch));
}

}  // namespace
}  // namespace epochcast

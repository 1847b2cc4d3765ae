// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/forecast_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <algorithm>
#include <cmath>
#include <random>

#include "support/sample_forecasts.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Bytes = std::vector<std::uint8_t>;

Bytes sample_bytes() { return encode_forecast_table(sample_table()).value(); }

// What decode says about bytes that it must refuse.
std::string refusal(std::span<const std::uint8_t> bytes) {
    const auto table = decode_forecast_table(bytes);
    EXPECT_FALSE(table.ok());
    if (table.ok()) return "accepted";
    EXPECT_EQ(table.error().kind, ErrorKind::bad_input);
    return table.error().message;
}

TEST(ForecastFile, what_was_written_is_read_back) {
    const TemporaryDir dir;

    const auto path = write_forecast_file(dir.path(), sample_table());
    ASSERT_TRUE(path.ok()) << path.error().message;
    const auto table = read_forecast_file(path.value());

    ASSERT_TRUE(table.ok()) << table.error().message;
    EXPECT_EQ(path.value(), dir.path() / "default.fb");
    EXPECT_EQ(table.value().service, "default");
    EXPECT_EQ(table.value().written_unix_s, sample_written_unix_s);
    EXPECT_EQ(table.value().max_age_s, 3600u);
    EXPECT_EQ(table.value().decision_dir, "/var/lib/epochcast/decisions");
    ASSERT_EQ(table.value().classes.size(), 3u);
    EXPECT_EQ(table.value().classes[2].name, "slow");
    EXPECT_EQ(table.value().classes[2].nodes, (std::vector<std::string>{"slow1", "slow2"}));
    EXPECT_EQ(table.value().classes[0].price_per_node_hour, 8);
    EXPECT_EQ(table.value().classes[0].memory_bytes, 64ull << 30);
    EXPECT_EQ(table.value().classes[1].memory_bytes, absent_count);
    ASSERT_EQ(table.value().partitions.size(), 2u);
    EXPECT_EQ(table.value().partitions[1].mode, Mode::shadow);
    EXPECT_EQ(table.value().partitions[1].allowed_policies, std::vector<std::string>{"cost"});
    ASSERT_EQ(table.value().tasks.size(), 2u);
    const TaskForecasts& cnn = table.value().tasks[1];
    EXPECT_EQ(cnn.task, (TaskKey{"user:1000", "cnn"}));
    ASSERT_EQ(cnn.placements.size(), 4u);
    EXPECT_EQ(cnn.placements[1].nodes, 2u);
    EXPECT_EQ(cnn.placements[1].forecast.epoch.time_s, 6);
    EXPECT_TRUE(std::isnan(cnn.placements[1].forecast.epoch.flop));
    EXPECT_EQ(cnn.placements[1].forecast.basis, "from 12 epochs on this class");
}

TEST(ForecastFile, keeps_settings_states_of_nodes_and_the_plan) {
    ForecastTable table = sample_table();
    table.settings = {true, 1000, 1800};
    table.node_states = {{"fast1", 5000, false, 6000, true}, {"elsewhere", 0, true, 0, false}};
    table.plan = {{7, 2, 1, 6000, 5000, 5060}};
    table.classes[1].price_per_node_hour = absent;
    table.classes[1].price_per_device_hour = 0.5;
    table.classes[1].device = "1g.10gb";
    table.classes[1].devices_per_node = 7;
    table.tasks[0].placements[0].devices_per_node = 2;
    table.tasks[0].runs = 3;

    const auto bytes = encode_forecast_table(table);
    ASSERT_TRUE(bytes.ok()) << bytes.error().message;
    const auto read = decode_forecast_table(bytes.value());

    ASSERT_TRUE(read.ok()) << read.error().message;
    const ForecastTable& t = read.value();
    EXPECT_TRUE(t.settings.set_limits);
    EXPECT_EQ(t.settings.site_factor_most, 1000u);
    EXPECT_EQ(t.settings.wait_most_s, 1800u);
    ASSERT_EQ(t.node_states.size(), 2u);
    EXPECT_EQ(t.node_states[0].node, "fast1");
    EXPECT_EQ(t.node_states[0].pinged_unix_s, 5000);
    EXPECT_FALSE(t.node_states[0].answered);
    EXPECT_EQ(t.node_states[0].free_unix_s, 6000);
    EXPECT_TRUE(t.node_states[0].is_forecast);
    ASSERT_EQ(t.plan.size(), 1u);
    EXPECT_EQ(t.plan[0].class_index, 2u);
    EXPECT_EQ(t.plan[0].fresh_until_unix_s, 5060);
    EXPECT_EQ(t.classes[1].device, "1g.10gb");
    EXPECT_EQ(t.classes[1].devices_per_node, 7u);
    EXPECT_EQ(t.classes[1].price_per_device_hour, 0.5);
    EXPECT_EQ(t.tasks[0].placements[0].devices_per_node, 2u);
    EXPECT_EQ(encode_forecast_table(t).value(), bytes.value());
    EXPECT_EQ(read.value().tasks[0].runs, 3u);
    EXPECT_EQ(read.value().tasks[1].runs, 0u);
}

TEST(ForecastFile, reading_and_writing_again_gives_the_same_bytes) {
    const Bytes bytes = sample_bytes();
    const auto table = decode_forecast_table(bytes);
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(encode_forecast_table(table.value()).value(), bytes);
}

TEST(ForecastFile, every_nan_is_written_alike) {
    ForecastTable table = sample_table();
    table.tasks[1].placements[0].forecast.epoch.flop = -std::nan("7");
    EXPECT_EQ(encode_forecast_table(table).value(), sample_bytes());
}

TEST(ForecastFile, an_empty_table_is_a_table) {
    ForecastTable table;
    table.service = "empty";
    const auto bytes = encode_forecast_table(table);
    ASSERT_TRUE(bytes.ok());
    EXPECT_TRUE(decode_forecast_table(bytes.value()).ok());
}

TEST(ForecastFile, is_refused_when_cut_anywhere) {
    const Bytes bytes = sample_bytes();
    EXPECT_EQ(refusal({}), "empty");
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        EXPECT_THAT(refusal(std::span(bytes).first(size)), StartsWith("truncated: ")) << size;
    }
    EXPECT_EQ(refusal(std::span(bytes).first(100)),
              "truncated: 100 of " + std::to_string(bytes.size()) + " bytes");
}

TEST(ForecastFile, is_refused_when_any_bit_is_flipped) {
    Bytes bytes = sample_bytes();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1 << bit));
            EXPECT_FALSE(decode_forecast_table(bytes).ok()) << at << ", bit " << bit;
            bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1 << bit));
        }
    }
}

TEST(ForecastFile, is_refused_when_overwritten_half_way) {
    ForecastTable later = sample_table();
    later.written_unix_s += 60;
    for (auto& placement : later.tasks[1].placements) placement.forecast.epoch.time_s *= 1.01;
    const Bytes before = sample_bytes();
    const Bytes after = encode_forecast_table(later).value();
    ASSERT_EQ(before.size(), after.size());
    const auto [first, unused] = std::ranges::mismatch(before, after);
    const auto last = std::mismatch(before.rbegin(), before.rend(), after.rbegin()).first.base();
    for (auto at = first + 1; at < last; ++at) {
        Bytes mixed(before);
        std::copy(after.begin(), after.begin() + (at - before.begin()), mixed.begin());
        if (mixed == before || mixed == after) continue;
        EXPECT_THAT(refusal(mixed), StartsWith("checksum")) << at - before.begin();
    }
}

TEST(ForecastFile, is_refused_with_something_behind_it) {
    Bytes bytes = sample_bytes();
    bytes.push_back(0);
    EXPECT_EQ(refusal(bytes), "malformed: 1 bytes after the end");
}

TEST(ForecastFile, other_content_is_refused) {
    std::mt19937 random(1);
    for (std::size_t size = 1; size < 4096; size += size / 3 + 1) {
        Bytes noise(size);
        for (auto& byte : noise) byte = static_cast<std::uint8_t>(random());
        noise[0] = 'x';
        EXPECT_EQ(refusal(noise), "not a forecast file") << size;
        EXPECT_EQ(refusal(Bytes(size, 0)), "not a forecast file") << size;
    }
}

TEST(ForecastFile, a_later_layout_is_named) {
    Bytes bytes = sample_bytes();
    bytes[8] = 2;
    EXPECT_THAT(refusal(bytes), StartsWith("layout version 2; this program reads version 1"));
}

TEST(ForecastFile, is_read_from_any_address) {
    const Bytes bytes = sample_bytes();
    for (std::size_t shift = 1; shift < 8; ++shift) {
        Bytes shifted(shift + bytes.size());
        std::ranges::copy(bytes, shifted.begin() + static_cast<std::ptrdiff_t>(shift));
        EXPECT_TRUE(decode_forecast_table(std::span(shifted).subspan(shift)).ok()) << shift;
    }
}

TEST(ForecastFile, more_than_16_mib_is_not_written) {
    const auto bytes = encode_forecast_table(large_table(2000, 80));
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(bytes.error().message, HasSubstr("a forecast file holds 16 MiB"));
}

TEST(ForecastFile, is_replaced_as_a_whole_and_leaves_nothing_beside_it) {
    const TemporaryDir dir;
    ASSERT_TRUE(write_forecast_file(dir.path(), sample_table()).ok());
    const mode_t mask = ::umask(077);
    ASSERT_TRUE(write_forecast_file(dir.path(), sample_table()).ok());
    ::umask(mask);

    struct stat status {};
    ASSERT_EQ(::stat((dir.path() / "default.fb").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0644u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(ForecastFile, a_folder_that_cannot_be_written_is_named) {
    const TemporaryDir dir;
    const auto missing = write_forecast_file(dir.path() / "missing", sample_table());
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, ErrorKind::environment);
    EXPECT_THAT(missing.error().message, HasSubstr("/missing/default.fb': No such file"));

    std::filesystem::create_directory(dir.path() / "default.fb");
    EXPECT_FALSE(write_forecast_file(dir.path(), sample_table()).ok());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(ForecastFile, what_is_no_regular_file_is_refused_without_waiting) {
    const TemporaryDir dir;
    const auto refused = [&](const std::filesystem::path& path) {
        const auto table = read_forecast_file(path);
        EXPECT_FALSE(table.ok()) << path;
        return table.ok() ? "accepted" : table.error().message;
    };
    ASSERT_EQ(::mkfifo((dir.path() / "pipe").c_str(), 0600), 0);
    std::filesystem::create_directory(dir.path() / "folder");
    std::filesystem::create_symlink("loop", dir.path() / "loop");
    ASSERT_TRUE(write_forecast_file(dir.path(), sample_table()).ok());
    std::filesystem::create_symlink("default.fb", dir.path() / "link");

    EXPECT_THAT(refused(dir.path() / "missing"), HasSubstr("No such file"));
    EXPECT_THAT(refused(dir.path() / "pipe"), HasSubstr("is not a regular file"));
    EXPECT_THAT(refused(dir.path() / "folder"), HasSubstr("is not a regular file"));
    EXPECT_THAT(refused("/dev/zero"), HasSubstr("is not a regular file"));
    EXPECT_THAT(refused(dir.path() / "loop"), HasSubstr("is a symbolic link"));
    EXPECT_THAT(refused(dir.path() / "link"), HasSubstr("is a symbolic link"));
    EXPECT_THAT(refused(""), HasSubstr("No such file"));
}

TEST(ForecastFile, more_than_16_mib_is_not_read) {
    const TemporaryDir dir;
    write_in_place(dir.path() / "large.fb", std::string());
    std::filesystem::resize_file(dir.path() / "large.fb", 17 << 20);
    const auto table = read_forecast_file(dir.path() / "large.fb");
    ASSERT_FALSE(table.ok());
    EXPECT_THAT(table.error().message, HasSubstr("larger than 16 MiB"));
}

}  // namespace
}  // namespace epochcast

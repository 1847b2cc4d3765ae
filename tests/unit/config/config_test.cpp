// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/config.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/probe_file.hpp"
#include "core/text.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class ConfigTest : public testing::Test {
  protected:
    // The probe file of every configuration here stays inside the folder.
    fs::path write(const std::string& name, const std::string& text) {
        const fs::path file = dir_ / name;
        write_in_place(file, text);
        return file;
    }
    Result<Config> read(const std::string& text) {
        const fs::path files[] = {write("first.toml", "probe_file = \"rates.toml\"\n"),
                                  write("c.toml", text)};
        return read_config(files);
    }

    TemporaryDir temporary_;
    fs::path dir_ = temporary_.path();
};

TEST_F(ConfigTest, reads_every_key) {
    const auto config = read(R"(service = "gpu"
log_dir = "/shared/logs"
history_dir = "history"
forecast_dir = "/var/f"
decision_dir = "/var/d"
max_age_s = 60
default_policy = "cost=3,time=1"
scope = "cluster"
set_limits = true
site_factor_most = 1000
wait_most_s = 1800
[[class]]
name = "gpus"
nodes = "gpu1"
device = "1g.10gb"
devices_per_node = 7
price_per_device_hour = 0.5
[[class]]
name = "fast"
nodes = "fast[1-2]"
flop_rate = 2e11
price_per_node_hour = 4
cores = 8
memory_bytes = 1073741824
[[partition]]
name = "batch"
mode = "shadow"
policies = ["cost", "time=1.0"]
)");

    ASSERT_TRUE(config) << config.error().message;
    const Config& c = config.value();
    EXPECT_EQ(c.service, "gpu");
    EXPECT_EQ(c.log_dir, "/shared/logs");
    EXPECT_EQ(c.history_dir, dir_ / "history");
    EXPECT_EQ(c.decision_dir, "/var/d");
    EXPECT_EQ(c.max_age_s, 60u);
    EXPECT_EQ(c.default_policy, "cost=0.75,time=0.25");
    EXPECT_EQ(c.scope, "cluster");
    EXPECT_TRUE(c.plugins.set_limits);
    EXPECT_EQ(c.plugins.site_factor_most, 1000u);
    EXPECT_EQ(c.plugins.wait_most_s, 1800u);
    ASSERT_EQ(c.classes.size(), 2u);
    EXPECT_EQ(c.classes[0].device, "1g.10gb");
    EXPECT_EQ(c.classes[0].devices_per_node, 7u);
    EXPECT_EQ(c.classes[0].price_per_device_hour, 0.5);
    EXPECT_EQ(c.classes[1].nodes, "fast[1-2]");
    EXPECT_EQ(c.classes[1].flop_rate, 2e11);
    EXPECT_EQ(c.classes[1].price_per_node_hour, 4);
    EXPECT_EQ(c.classes[1].cores, 8u);
    EXPECT_EQ(c.classes[1].memory_bytes, 1073741824u);
    ASSERT_EQ(c.partitions.size(), 1u);
    EXPECT_EQ(c.partitions[0].mode, Mode::shadow);
    EXPECT_THAT(c.partitions[0].allowed_policies, ElementsAre("cost", "time"));
    EXPECT_EQ(c.files.size(), 2u);
}

TEST_F(ConfigTest, without_a_file_everything_has_its_default) {
    const fs::path files[] = {dir_ / "missing.toml", write("p.toml", "probe_file = \"r.toml\"")};
    const auto config = read_config(files);

    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config.value().history_dir, "/var/lib/epochcast/history");
    EXPECT_EQ(config.value().max_age_s, 86400u);
    EXPECT_TRUE(config.value().default_policy.empty());
    EXPECT_THAT(config.value().files, ElementsAre(dir_ / "p.toml"));
}

TEST_F(ConfigTest, later_files_override_key_by_key_and_name_by_name) {
    const fs::path files[] = {
        write("a.toml",
              "service = \"a\"\nmax_age_s = 5\nprobe_file = \"r.toml\"\n"
              "[[class]]\nname = \"fast\"\nnodes = \"f1\"\nprice_per_node_hour = 1\n"
              "[[class]]\nname = \"slow\"\nnodes = \"s1\"\n"
              "[[partition]]\nname = \"p\"\nmode = \"on\"\npolicies = [\"cost\"]\n"),
        write("b.toml",
              "service = \"b\"\n[[class]]\nname = \"fast\"\nprice_per_node_hour = 9\n"
              "[[partition]]\nname = \"p\"\nmode = \"off\"\n"),
    };
    const auto config = read_config(files);

    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config.value().service, "b");
    EXPECT_EQ(config.value().max_age_s, 5u);
    ASSERT_EQ(config.value().classes.size(), 2u);
    EXPECT_EQ(config.value().classes[0].nodes, "f1");
    EXPECT_EQ(config.value().classes[0].price_per_node_hour, 9);
    EXPECT_EQ(config.value().partitions[0].mode, Mode::off);
    EXPECT_THAT(config.value().partitions[0].allowed_policies, ElementsAre("cost"));
}

struct BadConfig {
    const char* text;
    int line;
    std::vector<const char*> said;  // "a|b": one of the two, because toml11's versions differ
};

class BadConfigTest : public ConfigTest, public testing::WithParamInterface<BadConfig> {};

TEST_P(BadConfigTest, is_refused_with_file_line_value_and_what_is_allowed) {
    const auto config = read(GetParam().text);

    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().kind, ErrorKind::bad_input);
    const std::string place = (dir_ / "c.toml").string() + ":" + std::to_string(GetParam().line);
    EXPECT_THAT(config.error().message, HasSubstr(place + ": "));
    for (const char* said : GetParam().said) {
        const std::vector<std::string_view> forms = split(said, '|');
        EXPECT_TRUE(std::ranges::any_of(forms,
                                        [&](std::string_view form) {
                                            return config.error().message.find(form) !=
                                                   std::string::npos;
                                        }))
            << config.error().message << " lacks " << said;
    }
    EXPECT_EQ(config.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    ConfigErrors,
    BadConfigTest,
    testing::Values(
        BadConfig{"\n\nserivce = \"x\"\n", 3, {"'serivce'", "allowed are service"}},
        BadConfig{"service = 3", 1, {"service = 3", "a text in quotes"}},
        BadConfig{"service = \"../x\"", 1, {"'../x'", "1 to 63"}},
        BadConfig{"service = \"\"", 1, {"1 to 63"}},
        BadConfig{"history_dir = \"\"", 1, {"a path"}},
        BadConfig{"history_dir = \"a\\u0000b\"", 1, {"control characters"}},
        BadConfig{"log_dir = [\"/x\"]", 1, {"[...]"}},
        BadConfig{"max_age_s = -1", 1, {"max_age_s = -1", "0 to 4294967295"}},
        BadConfig{"max_age_s = 1.5", 1, {"1.5", "whole number"}},
        BadConfig{"max_age_s = 99999999999999999999", 1, {"whole number|too large integer"}},
        BadConfig{"max_age_s = 1979-05-27", 1, {"a date or time"}},
        BadConfig{"default_policy = \"speed\"", 1, {"'speed'", "cost, time, throughput"}},
        BadConfig{"scope = \"world\"", 1, {"'world'", "\"user\" or \"cluster\""}},
        BadConfig{"class = 3", 1, {"[[class]] tables"}},
        BadConfig{"[class]\nname = \"x\"", 1, {"[[class]] tables"}},
        BadConfig{"class = [1]", 1, {"[[class]] tables"}},
        BadConfig{"[[class]]\nnodes = \"n1\"", 1, {"has no name"}},
        BadConfig{"[[class]]\nname = \"x\"\n", 1, {"'x'", "has no nodes"}},
        BadConfig{"[[class]]\nname = \"x\"\nnodes = \" \"", 3, {"hostlist"}},
        BadConfig{"[[class]]\nname = \"a b\"\nnodes = \"n\"", 2, {"'a b'"}},
        BadConfig{
            "[[class]]\nname = \"x\"\nnodes = \"n\"\nprice = 1\n", 4, {"'price'", "[[class]]"}},
        BadConfig{"[[class]]\nname = \"x\"\nnodes = \"n\"\nprice_per_node_hour = -2\n",
                  4,
                  {"price_per_node_hour = -2", "above 0"}},
        BadConfig{
            "[[class]]\nname = \"x\"\nnodes = \"n\"\nprice_per_node_hour = nan\n", 4, {"nan"}},
        BadConfig{"[[class]]\nname = \"x\"\nnodes = \"n\"\nflop_rate = inf\n", 4, {"inf"}},
        BadConfig{"[[class]]\nname = \"x\"\nnodes = \"n\"\nflop_rate = \"2e9\"\n", 4, {"'2e9'"}},
        BadConfig{"[[class]]\nname = \"x\"\nnodes = \"n\"\ncores = 0\n", 4, {"cores = 0"}},
        BadConfig{
            "[[class]]\nname = \"x\"\nnodes = \"n\"\n[[class]]\nname = \"x\"\nnodes = \"m\"\n",
            5,
            {"'x' is taken"}},
        BadConfig{"[[partition]]\nname = \"p\"\nmode = \"yes\"\n", 3, {"'yes'", "\"shadow\""}},
        BadConfig{"[[partition]]\nname = \"p\"\nmode = true\n", 3, {"mode = true"}},
        BadConfig{"[[partition]]\nname = \"p\"\npolicies = \"cost\"\n", 3, {"a list"}},
        BadConfig{"[[partition]]\nname = \"p\"\npolicies = [\"cost\", \"off\"]\n", 3, {"'off'"}},
        BadConfig{"a = = 2", 1, {"is not TOML"}},
        BadConfig{"service = \"a\"\nservice = \"b\"", 2, {"is not TOML", "already exists"}},
        BadConfig{"service = \"\xff\"", 1, {"is not TOML", "utf8|invalid string"}},
        BadConfig{"service = \"a\nb\"", 1, {"is not TOML"}},
        BadConfig{"\"\x1b[31m\" = 1", 1, {}}));

TEST_F(ConfigTest, a_class_has_one_price_and_says_for_how_many_devices) {
    const auto both = read(
        "[[class]]\nname = \"a\"\nnodes = \"n1\"\nprice_per_node_hour = 1\n"
        "price_per_device_hour = 1\ndevices_per_node = 2\n");
    ASSERT_FALSE(both);
    EXPECT_THAT(both.error().message,
                HasSubstr("price_per_node_hour and price_per_device_hour: keep one"));
    const auto countless =
        read("[[class]]\nname = \"a\"\nnodes = \"n1\"\nprice_per_device_hour = 1\n");
    ASSERT_FALSE(countless);
    EXPECT_THAT(countless.error().message, HasSubstr("no devices_per_node"));
}

TEST_F(ConfigTest, survives_hostile_files) {
    EXPECT_TRUE(read(""));
    EXPECT_TRUE(read("# [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"));
    EXPECT_THAT(read("a = " + std::string(100'000, '[')).error().message, HasSubstr("nested"));
    EXPECT_THAT(read("a = '" + std::string(2'000'000, 'x') + "'").error().message,
                HasSubstr("larger than 1 MiB"));
    EXPECT_FALSE(read(std::string("\0\0\0", 3)));
    EXPECT_FALSE(read("\"\"\""));
    EXPECT_FALSE(read("'"));
    const fs::path folder[] = {dir_};
    EXPECT_THAT(read_config(folder).error().message, HasSubstr("not a regular file"));
}

TEST_F(ConfigTest, takes_flop_rates_from_the_probe_file_where_it_states_none) {
    const ProbedRate rates[] = {{"fast", 1e11, "f1", 2, "2026-01-02T03:04:05Z"},
                                {"slow", 2.5e10, "s1", 1, "2026-01-02T03:04:05Z"}};
    ASSERT_TRUE(write_probe_file(dir_ / "new/rates.toml", rates));
    const auto config = read(
        "probe_file = \"new/rates.toml\"\n[[class]]\nname = \"fast\"\nnodes = \"f1\"\n"
        "flop_rate = 7e11\n[[class]]\nname = \"slow\"\nnodes = \"s1\"\n"
        "[[class]]\nname = \"other\"\nnodes = \"o1\"\n");

    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config.value().classes[0].flop_rate, 7e11);
    EXPECT_EQ(config.value().classes[1].flop_rate, 2.5e10);
    EXPECT_TRUE(std::isnan(config.value().classes[2].flop_rate));
    const auto again = read_probe_file(dir_ / "new/rates.toml");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again.value()[0].node, "f1");
    EXPECT_EQ(again.value()[0].threads, 2u);
}

TEST_F(ConfigTest, a_damaged_probe_file_says_what_to_do) {
    write("rates.toml", "[[rate]]\nclass = \"fast\"\nflop_rate = -3\n");
    const auto config = read("");

    ASSERT_FALSE(config);
    EXPECT_THAT(config.error().message, HasSubstr("rates.toml:3: flop_rate = -3"));
    EXPECT_THAT(config.error().message, HasSubstr("epochcast probe"));
}

TEST_F(ConfigTest, the_probe_file_must_be_in_a_place_that_can_be_written) {
    write("file", "");
    const auto written = write_probe_file(dir_ / "file/rates.toml", {});

    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::environment);
    EXPECT_THAT(written.error().message, HasSubstr("set probe_file"));
}

// The example names every key as a comment; without the '#' it is a configuration.
TEST_F(ConfigTest, the_example_that_is_shipped_is_right) {
    std::ifstream example(fs::path(__FILE__).parent_path() / "../../../src/config/epochcast.toml");
    ASSERT_TRUE(example);
    std::string text;
    int keys = 0;
    for (std::string line; std::getline(example, line);) {
        const bool is_setting =
            line.starts_with("#[[") ||
            (line.find(" = ") != line.npos && line.starts_with("#") && line[1] != ' ');
        if (is_setting) text += line.substr(1) + "\n";
        keys += is_setting ? 1 : 0;
    }
    const auto config = read(text);

    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(keys, 12 + 9 + 4);
    EXPECT_EQ(config.value().history_dir, Config{}.history_dir);
    EXPECT_EQ(config.value().max_age_s, Config{}.max_age_s);
    EXPECT_EQ(config.value().classes.at(0).nodes, "fast[1-2],big[01-16]");
}

TEST(ConfigPlaces, are_the_site_then_the_user_then_the_variable) {
    EXPECT_THAT(
        config_places("/x", "/h", "/e.toml"),
        ElementsAre("/etc/epochcast/epochcast.toml", "/x/epochcast/config.toml", "/e.toml"));
    EXPECT_THAT(config_places("", "/h", ""),
                ElementsAre("/etc/epochcast/epochcast.toml", "/h/.config/epochcast/config.toml"));
    EXPECT_THAT(config_places("", "", ""), ElementsAre("/etc/epochcast/epochcast.toml"));
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/table_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <functional>

#include "forecast_file/forecast_file.hpp"
#include "support/sample_forecasts.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;

// The complaint about the sample table after this change; the encoder must refuse it too.
std::string complaint(const std::function<void(ForecastTable&)>& change) {
    ForecastTable table = sample_table();
    change(table);
    const auto checked = check_forecast_table(table);
    EXPECT_EQ(checked.ok(), encode_forecast_table(table).ok());
    if (checked.ok()) return "fine";
    EXPECT_EQ(checked.error().kind, ErrorKind::bad_input);
    return checked.error().message;
}

Forecast& first_forecast(ForecastTable& table) { return table.tasks[1].placements[0].forecast; }

TEST(TableCheck, names_the_offender_and_its_value) {
    EXPECT_EQ(complaint([](ForecastTable&) {}), "fine");
    EXPECT_EQ(complaint([](ForecastTable& t) { t.tasks[1].placements[3].class_index = 7; }),
              "task 'user:1000 cnn': class index 7 of 3 classes");
}

TEST(TableCheck, a_service_stays_in_its_folder) {
    for (const char* name : {"", ".", "..", ".hidden", "a/b", "../up", "a b", "a\nb", "\xc3\xbc"}) {
        EXPECT_THAT(complaint([&](ForecastTable& t) { t.service = name; }), HasSubstr("service '"));
    }
    EXPECT_THAT(complaint([](ForecastTable& t) { t.service.assign(65, 'a'); }),
                HasSubstr("service"));
    EXPECT_EQ(complaint([](ForecastTable& t) { t.service.assign(64, 'a'); }), "fine");
}

TEST(TableCheck, times_of_writing_are_of_this_age) {
    EXPECT_THAT(complaint([](ForecastTable& t) { t.written_unix_s = -1; }), HasSubstr("1970"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.written_unix_s = INT64_MAX; }),
                HasSubstr("9999"));
}

TEST(TableCheck, decisions_go_to_an_absolute_path) {
    EXPECT_THAT(complaint([](ForecastTable& t) { t.decision_dir = "here"; }), HasSubstr("'here'"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.decision_dir = "/a\nb"; }),
                HasSubstr("absolute"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.decision_dir = "/" + std::string(1023, 'a'); }),
                HasSubstr("at most 1023 bytes"));
    EXPECT_EQ(complaint([](ForecastTable& t) { t.decision_dir.clear(); }), "fine");
}

TEST(TableCheck, policies_parse) {
    EXPECT_THAT(complaint([](ForecastTable& t) { t.default_policy = "speed"; }),
                HasSubstr("'speed'"));
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.partitions[0].allowed_policies = {"time", ""};
                }),
                HasSubstr("partition 'main': ''"));
    EXPECT_EQ(complaint([](ForecastTable& t) { t.default_policy = "cost=0.7,time=0.3"; }), "fine");
    EXPECT_EQ(complaint([](ForecastTable& t) { t.default_policy = "off"; }), "fine");
}

TEST(TableCheck, names_are_unique_and_clean) {
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[1].name = "fast"; }),
                HasSubstr("twice"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[1].name = ""; }),
                HasSubstr("class name"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[1].name.assign(256, 'a'); }),
                HasSubstr("(256 bytes)"));
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.classes[0].nodes = {"a", "a"};
                }),
                HasSubstr("node 'a' is there twice"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[2].nodes = {"fast1"}; }),
                HasSubstr("node 'fast1' is there twice"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[0].nodes = {"a\nb"}; }),
                HasSubstr("node name 'a\\x0ab'"));
    EXPECT_THAT(complaint([](ForecastTable& t) { t.partitions[1].name = "main"; }),
                HasSubstr("partition 'main' is there twice"));
}

TEST(TableCheck, quantities_are_finite_and_not_negative) {
    for (const double value : {-1.0, double(INFINITY), -double(INFINITY), 1e31}) {
        const auto with = [&](double& number) { number = value; };
        EXPECT_NE(complaint([&](auto& t) { with(t.classes[0].flop_rate); }), "fine") << value;
        EXPECT_NE(complaint([&](auto& t) { with(t.classes[0].price_per_node_hour); }), "fine");
        EXPECT_NE(complaint([&](auto& t) { with(first_forecast(t).epoch.time_s); }), "fine");
        EXPECT_NE(complaint([&](auto& t) { with(first_forecast(t).mean_all.flop); }), "fine");
        EXPECT_NE(complaint([&](auto& t) { with(first_forecast(t).epoch_low_s); }), "fine");
        EXPECT_NE(complaint([&](auto& t) { with(first_forecast(t).epoch_high_s); }), "fine");
        EXPECT_NE(complaint([&](auto& t) { with(first_forecast(t).startup_s); }), "fine");
    }
    EXPECT_NE(complaint([](auto& t) { t.classes[0].flop_rate = 0; }), "fine");
    EXPECT_NE(complaint([](auto& t) { first_forecast(t).epoch.time_s = 0; }), "fine");
    EXPECT_NE(complaint([](auto& t) { first_forecast(t).startup_s = absent; }), "fine");
    EXPECT_EQ(complaint([](auto& t) { t.classes[0].price_per_node_hour = 0; }), "fine");
    EXPECT_EQ(complaint([](auto& t) { t.classes[0].flop_rate = absent; }), "fine");
    EXPECT_EQ(complaint([](auto& t) { first_forecast(t).epoch.flop = 0; }), "fine");
}

TEST(TableCheck, a_forecast_has_a_rule_a_node_and_one_line_of_basis) {
    EXPECT_THAT(complaint([](auto& t) { t.tasks[1].placements[0].nodes = 0; }),
                HasSubstr("0 nodes"));
    EXPECT_THAT(complaint([](auto& t) { first_forecast(t).rule = Rule(9); }), HasSubstr("rule"));
    EXPECT_THAT(complaint([](auto& t) { first_forecast(t).basis = "\x1b[2J"; }),
                HasSubstr("basis"));
    EXPECT_THAT(complaint([](auto& t) { t.partitions[0].mode = Mode(3); }), HasSubstr("mode"));
}

TEST(TableCheck, order_is_strict) {
    EXPECT_THAT(complaint([](auto& t) { std::swap(t.tasks[0], t.tasks[1]); }), HasSubstr("sorted"));
    EXPECT_THAT(complaint([](auto& t) { t.tasks[1].task = t.tasks[0].task; }), HasSubstr("sorted"));
    EXPECT_THAT(complaint([](auto& t) { t.tasks[1].placements[1].nodes = 1; }),
                HasSubstr("sorted"));
    EXPECT_THAT(complaint([](auto& t) { t.tasks[0].task.name = "a b"; }), HasSubstr("task key"));
    EXPECT_THAT(complaint([](auto& t) { t.tasks[0].task.scope = ""; }), HasSubstr("task key"));
}

TEST(TableCheck, a_class_has_one_price) {
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[0].price_per_device_hour = 1; }),
                HasSubstr("two prices"));
    EXPECT_EQ(complaint([](ForecastTable& t) {
                  t.classes[0].price_per_node_hour = absent;
                  t.classes[0].price_per_device_hour = 1;
              }),
              "fine");
    EXPECT_THAT(complaint([](ForecastTable& t) { t.classes[0].device = "a b"; }),
                HasSubstr("device 'a b'"));
}

TEST(TableCheck, the_plan_is_of_known_classes_and_sorted) {
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.plan = {{5, 3, 0, 1, 1, 1}};
                }),
                HasSubstr("planned job 5: no such class"));
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.plan = {{5, 0, 0, -1, 1, 1}};
                }),
                HasSubstr("9999"));
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.plan = {{5, 0, 0, 1, 1, 1}, {5, 0, 1, 1, 1, 1}};
                }),
                HasSubstr("not sorted"));
}

TEST(TableCheck, a_node_has_one_state) {
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.node_states = {{"n1", 1, true, 0, false}, {"n1", 2, true, 0, false}};
                }),
                HasSubstr("state of node 'n1'"));
    EXPECT_THAT(complaint([](ForecastTable& t) {
                    t.node_states = {{"n1", -5, true, 0, false}};
                }),
                HasSubstr("9999"));
}

}  // namespace
}  // namespace epochcast

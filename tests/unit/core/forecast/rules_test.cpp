// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Rules 2 to 5, each on a history small enough to compute by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/forecast/forecast_index.hpp"
#include "core/random.hpp"

namespace epochcast {
namespace {

constexpr std::uint64_t samples_per_epoch = 6400;
const TaskKey cnn{"user:1000", "cnn"};

TaskAttributes batch_attributes(std::uint64_t batch) {
    TaskAttributes attributes;
    attributes.model = "cnn";
    attributes.batch_per_device = batch;
    attributes.samples_per_epoch = samples_per_epoch;
    return attributes;
}

// One epoch of 6400 samples.
Series epoch_on(const Placement& placement,
                std::uint64_t batch,
                double wall_s,
                const std::string& task = "cnn") {
    Series series;
    series.task = {"user:1000", task};
    series.attributes = batch_attributes(batch);
    series.attributes.model = task;
    series.placement = placement;
    EpochRecord record;
    record.wall_s = wall_s;
    record.start_ns = 1;
    series.records.push_back(record);
    return series;
}

// One epoch of a task that states nothing.
Series plain_epoch(const Placement& placement, double wall_s, const std::string& task = "cnn") {
    Series series = epoch_on(placement, 1, wall_s, task);
    series.attributes = {};
    return series;
}

TEST(Rules, another_batch_is_interpolated_in_time_per_step) {
    // 400 steps of 1 s at batch 16, 100 steps of 4 s at 64; so 200 steps of 2 s at 32.
    const std::vector<Series> history{epoch_on({"a"}, 16, 400), epoch_on({"a"}, 64, 400)};
    const auto forecast = forecast_epoch(history, cnn, batch_attributes(32), {"a"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_EQ(forecast->rule, Rule::other_batch);
    EXPECT_NEAR(forecast->epoch.time_s, 400, 1e-9);
    EXPECT_NEAR(forecast->step_s, 2, 1e-9);
    EXPECT_EQ(forecast->basis, "interpolated between batch 16 and 64 on this class");
    EXPECT_EQ(forecast->records, 2u);
    EXPECT_TRUE(std::isnan(forecast->mean_all.time_s));
}

// On two nodes a total batch of 32 is 16 for each: what is known of 16 on one node is a step there,
// and an epoch has as many steps as on one node.
TEST(Rules, a_total_batch_is_shared_by_the_nodes) {
    std::vector<Series> history{epoch_on({"a"}, 16, 400), epoch_on({"a"}, 64, 400)};
    TaskAttributes attributes = batch_attributes(0);
    attributes.batch_per_device.reset();
    for (Series& series : history) {
        series.attributes.total_batch = series.attributes.batch_per_device;
        series.attributes.batch_per_device.reset();
        series.records[0].cpu_s = series.records[0].wall_s;
    }
    attributes.total_batch = 32;
    const auto forecast = forecast_epoch(history, cnn, attributes, {"a", 2}, {});
    ASSERT_TRUE(forecast);
    EXPECT_EQ(forecast->rule, Rule::other_count);
    EXPECT_NEAR(forecast->step_s, 1, 1e-9);
    EXPECT_NEAR(forecast->epoch.time_s, 200, 1e-9);
    EXPECT_NEAR(forecast->epoch.cpu_s, 400, 1e-9);
}

TEST(Rules, amounts_other_than_time_are_interpolated_too) {
    std::vector<Series> history{epoch_on({"a"}, 16, 400), epoch_on({"a"}, 64, 400)};
    history[0].records[0].cpu_s = 800;               // 2 s a step
    history[1].records[0].cpu_s = 500;               // 5 s a step
    history[0].records[0].peak_memory_bytes = 1000;  // a line over the batch
    history[1].records[0].peak_memory_bytes = 4000;
    history[0].records[0].disk_read_bytes = 64000;  // 10 bytes a sample at any batch
    history[1].records[0].disk_read_bytes = 64000;
    history[0].records[0].flop = 4e9;
    history[1].records[0].flop = 4e9;
    const auto forecast = forecast_epoch(history, cnn, batch_attributes(32), {"a"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_NEAR(forecast->epoch.cpu_s, 200 * 3, 1e-9);
    EXPECT_NEAR(forecast->epoch.peak_memory_bytes, 2000, 1e-9);
    EXPECT_NEAR(forecast->epoch.disk_read_bytes, 64000, 1e-6);
    EXPECT_NEAR(forecast->epoch.flop, 4e9, 1);
    EXPECT_NEAR(forecast->epoch.flop_rate, 4e9 / 400, 1);
    EXPECT_TRUE(std::isnan(forecast->epoch.disk_written_bytes));
}

TEST(Rules, an_epoch_of_other_length_at_the_same_batch_is_scaled_by_its_samples) {
    const std::vector<Series> history{epoch_on({"a"}, 16, 400)};
    TaskAttributes longer = batch_attributes(16);
    longer.samples_per_epoch = 2 * samples_per_epoch;
    const auto forecast = forecast_epoch(history, cnn, longer, {"a"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_NEAR(forecast->epoch.time_s, 800, 1e-9);
    EXPECT_EQ(forecast->basis, "from this model at the same batch on this class");
}

TEST(Rules, a_batch_known_elsewhere_is_scaled_by_the_models_own_ratio) {
    const std::vector<Series> history{
        epoch_on({"fast"}, 64, 10), epoch_on({"slow"}, 64, 30), epoch_on({"fast"}, 32, 12)};
    const auto forecast = forecast_epoch(history, cnn, batch_attributes(32), {"slow"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_EQ(forecast->rule, Rule::other_class);
    // 36 by the ratio alone; a class that slow is expected to gain less from the larger batch.
    EXPECT_NEAR(forecast->epoch.time_s, 36, 2.5);
    EXPECT_EQ(forecast->basis,
              "scaled from batch 64 on this class by this model's own ratio on fast");
}

TEST(Rules, of_other_tasks_those_with_a_like_profile_count_most) {
    std::vector<Series> history{epoch_on({"a"}, 1, 10), epoch_on({"b"}, 1, 20)};
    // a : b : c as the model does, 1 : 2 : 8; three others 1 : 10 : 20.
    history.push_back(epoch_on({"a"}, 1, 5, "like"));
    history.push_back(epoch_on({"b"}, 1, 10, "like"));
    history.push_back(epoch_on({"c"}, 1, 40, "like"));
    for (const char* name : {"x", "y"}) {
        history.push_back(epoch_on({"a"}, 1, 1, name));
        history.push_back(epoch_on({"b"}, 1, 10, name));
        history.push_back(epoch_on({"c"}, 1, 20, name));
    }
    const auto forecast = forecast_epoch(history, cnn, batch_attributes(1), {"c"}, {});
    ASSERT_TRUE(forecast);
    // The like one alone says 80, the others 200 from a and 40 from b; a mean of all would say 28.
    EXPECT_GT(forecast->epoch.time_s, 45);
    EXPECT_LT(forecast->epoch.time_s, 85);
    EXPECT_EQ(forecast->basis, "scaled from a and b as other tasks relate them");
}

TEST(Rules, a_model_that_feels_half_of_the_difference_between_classes_feels_half_of_it_elsewhere) {
    std::vector<Series> history;
    for (const char* name : {"x", "y", "z"}) {
        history.push_back(epoch_on({"fast"}, 1, 10, name));
        history.push_back(epoch_on({"mid"}, 1, 40, name));
        history.push_back(epoch_on({"slow"}, 1, 160, name));
    }
    // Half as much on the scale of logarithms: 10, 20, so 40 and not 80.
    history.push_back(epoch_on({"fast"}, 1, 10));
    history.push_back(epoch_on({"mid"}, 1, 20));
    const auto forecast = forecast_epoch(history, cnn, batch_attributes(1), {"slow"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_EQ(forecast->rule, Rule::other_class);
    EXPECT_NEAR(forecast->epoch.time_s, 40, 10);
    EXPECT_LT(forecast->epoch_low_s, 40);
    EXPECT_GT(forecast->epoch_high_s, 40);
}

TEST(Rules, own_counts_give_compute_and_synchronisation) {
    // A pass on one node 100 s, on two 2 x 60 s: 20 s of synchronisation, so 4 nodes take
    // (100 + 40) / 4.
    const std::vector<Series> history{plain_epoch({"a", 1}, 100), plain_epoch({"a", 2}, 60)};
    const auto forecast = forecast_epoch(history, cnn, {}, {"a", 4}, {});
    ASSERT_TRUE(forecast);
    EXPECT_EQ(forecast->rule, Rule::other_count);
    EXPECT_NEAR(forecast->epoch.time_s, 35, 1e-9);
    EXPECT_NE(forecast->basis.find("own scaling"), std::string::npos) << forecast->basis;
}

TEST(Rules, without_own_counts_other_tasks_tell_the_scaling_and_else_it_is_optimistic) {
    std::vector<Series> history{plain_epoch({"a", 1}, 100)};
    auto forecast = forecast_epoch(history, cnn, {}, {"a", 2}, {});
    ASSERT_TRUE(forecast);
    EXPECT_NEAR(forecast->epoch.time_s, 50, 1e-9);
    EXPECT_EQ(forecast->basis, "scaled from 1 node of a as if it scaled perfectly");
    const double optimistic_high = forecast->epoch_high_s / forecast->epoch.time_s;

    history.push_back(plain_epoch({"a", 1}, 10, "mlp"));
    history.push_back(plain_epoch({"a", 2}, 7, "mlp"));
    forecast = forecast_epoch(history, cnn, {}, {"a", 2}, {});
    EXPECT_NEAR(forecast->epoch.time_s, 70, 1e-9);
    EXPECT_EQ(forecast->basis, "scaled from 1 node of a by the scaling of other tasks");
    EXPECT_LT(forecast->epoch_high_s / forecast->epoch.time_s, optimistic_high);
}

TEST(Rules, class_and_count_may_change_together) {
    std::vector<Series> history{plain_epoch({"a", 1, 4}, 100),
                                plain_epoch({"a", 1, 4}, 10, "mlp"),
                                plain_epoch({"b", 1, 4}, 30, "mlp")};
    const auto forecast = forecast_epoch(history, cnn, {}, {"b", 2, 4}, {});
    ASSERT_TRUE(forecast);
    EXPECT_NEAR(forecast->epoch.time_s, 150, 1e-9);
    EXPECT_EQ(forecast->basis,
              "scaled from 1 node x 4 devices of a as if it scaled perfectly and by the ratio of 1 "
              "other task");
}

TEST(Rules, a_task_never_seen_is_guessed_by_its_declared_size_or_not_at_all) {
    const std::vector<Series> history{epoch_on({"a"}, 16, 400, "other")};
    TaskAttributes sized;
    sized.samples_per_epoch = samples_per_epoch / 2;
    const auto guess = forecast_epoch(history, cnn, sized, {"a"}, {});
    ASSERT_TRUE(guess);
    EXPECT_EQ(guess->rule, Rule::similar_task);
    EXPECT_NEAR(guess->epoch.time_s, 200, 1e-9);
    EXPECT_EQ(guess->basis, "never seen: a guess from 1 run of tasks of about this size");
    EXPECT_FALSE(forecast_epoch(history, cnn, TaskAttributes{}, {"a"}, {}));
    EXPECT_FALSE(forecast_epoch(history, cnn, sized, {"b"}, {}));
}

TEST(Rules, a_model_by_the_same_name_in_another_scope_is_no_evidence_of_the_own) {
    Series theirs = epoch_on({"a"}, 16, 400);
    theirs.task.scope = "user:1";
    const auto forecast = forecast_epoch(std::vector{theirs}, cnn, batch_attributes(32), {"a"}, {});
    ASSERT_TRUE(forecast);
    EXPECT_EQ(forecast->rule, Rule::similar_task);
}

TEST(ForecastIndex, an_update_replaces_the_series_and_a_removal_forgets_it) {
    ForecastIndex index;
    EXPECT_FALSE(index.forecast(cnn, batch_attributes(16), {"a"}));
    index.update(epoch_on({"a"}, 16, 400));
    index.update(epoch_on({"a"}, 64, 400));
    EXPECT_NEAR(index.forecast(cnn, batch_attributes(16), {"a"})->epoch.time_s, 400, 1e-9);
    index.update(epoch_on({"a"}, 16, 500));
    EXPECT_NEAR(index.forecast(cnn, batch_attributes(16), {"a"})->epoch.time_s, 500, 1e-9);
    index.remove(cnn, batch_attributes(16), {"a"});
    EXPECT_EQ(index.forecast(cnn, batch_attributes(16), {"a"})->rule, Rule::other_batch);
    index.remove(cnn, batch_attributes(64), {"a"});
    index.remove(cnn, batch_attributes(64), {"a"});
    EXPECT_FALSE(index.forecast(cnn, batch_attributes(16), {"a"}));
    EXPECT_FALSE(index.forecast(cnn, std::nullopt, {"a"}));
}

// A history of several tasks on several placements, some rows missing.
std::vector<Series> random_history(std::uint64_t seed) {
    Random random(seed);
    std::vector<Series> history;
    for (const char* task : {"cnn", "mlp", "lm"}) {
        const double size = std::exp(random.normal());
        for (const char* node_class : {"a", "b", "c"}) {
            for (const std::uint32_t nodes : {1u, 2u, 4u}) {
                for (const std::uint64_t batch : {8u, 16u, 32u, 64u}) {
                    if (random.uniform() < 0.5) continue;
                    const double wall_s = 100 * size * std::exp(random.normal()) / nodes;
                    history.push_back(epoch_on({node_class, nodes, 1}, batch, wall_s, task));
                }
            }
        }
    }
    return history;
}

class RulesOnRandomHistories : public testing::TestWithParam<std::uint64_t> {
  protected:
    // Calls f with each question that can be asked.
    template <class F>
    void ask_all(F f) const {
        for (const char* node_class : {"a", "b", "c", "d"}) {
            for (const std::uint32_t nodes : {1u, 2u, 3u}) {
                for (const std::uint64_t batch : {4u, 16u, 24u, 64u}) {
                    f(batch_attributes(batch), Placement{node_class, nodes, 1});
                }
            }
        }
    }
};

TEST_P(RulesOnRandomHistories, forecasts_are_positive_and_inside_their_interval) {
    const std::vector<Series> history = random_history(GetParam());
    ask_all([&](const TaskAttributes& attributes, const Placement& placement) {
        const auto forecast = forecast_epoch(history, cnn, attributes, placement, {});
        if (!forecast) return;
        EXPECT_GT(forecast->epoch_low_s, 0);
        EXPECT_LE(forecast->epoch_low_s, forecast->epoch.time_s);
        EXPECT_LE(forecast->epoch.time_s, forecast->epoch_high_s);
        EXPECT_TRUE(std::isfinite(forecast->epoch_high_s));
        EXPECT_FALSE(forecast->basis.empty());
    });
}

TEST_P(RulesOnRandomHistories, the_order_of_the_history_does_not_matter) {
    const std::vector<Series> history = random_history(GetParam());
    std::vector<Series> reversed(history.rbegin(), history.rend());
    const ForecastIndex one(history, {});
    const ForecastIndex other(reversed, {});
    ask_all([&](const TaskAttributes& attributes, const Placement& placement) {
        const auto a = one.forecast(cnn, attributes, placement);
        const auto b = other.forecast(cnn, attributes, placement);
        ASSERT_EQ(a.has_value(), b.has_value());
        if (!a) return;
        EXPECT_NEAR(a->epoch.time_s / b->epoch.time_s, 1, 1e-9);
        EXPECT_EQ(a->basis, b->basis);
    });
}

TEST_P(RulesOnRandomHistories, the_unit_of_time_does_not_matter) {
    const std::vector<Series> history = random_history(GetParam());
    std::vector<Series> slower = history;
    for (Series& series : slower) series.records[0].wall_s *= 1000;
    const ForecastIndex one(history, {});
    const ForecastIndex other(slower, {});
    ask_all([&](const TaskAttributes& attributes, const Placement& placement) {
        const auto a = one.forecast(cnn, attributes, placement);
        const auto b = other.forecast(cnn, attributes, placement);
        ASSERT_EQ(a.has_value(), b.has_value());
        if (!a) return;
        EXPECT_NEAR(b->epoch.time_s / a->epoch.time_s, 1000, 1e-6);
    });
}

TEST_P(RulesOnRandomHistories, updates_one_by_one_are_the_same_as_all_at_once) {
    const std::vector<Series> history = random_history(GetParam());
    const ForecastIndex at_once(history, {});
    ForecastIndex one_by_one;
    for (const Series& series : history) one_by_one.update(series);
    ask_all([&](const TaskAttributes& attributes, const Placement& placement) {
        const auto a = at_once.forecast(cnn, attributes, placement);
        const auto b = one_by_one.forecast(cnn, attributes, placement);
        ASSERT_EQ(a.has_value(), b.has_value());
        if (!a) return;
        EXPECT_EQ(a->epoch.time_s, b->epoch.time_s);
    });
}

INSTANTIATE_TEST_SUITE_P(Seeds, RulesOnRandomHistories, testing::Range<std::uint64_t>(1, 11));

}  // namespace
}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Files with a right header and checksum whose payload was made to cost time or memory, or that
// FlatBuffers takes for well-formed while a table must not have it.

#include <flatbuffers/flatbuffers.h>
#include <forecast_file_generated.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <chrono>
#include <functional>

#include "forecast_file/envelope.hpp"
#include "forecast_file/forecast_file.hpp"

namespace epochcast {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using testing::StartsWith;

using Classes = std::vector<Offset<stored::NodeClass>>;
using Tasks = std::vector<Offset<stored::Task>>;

// A sealed file whose classes and tasks are what `fill` puts there.
std::vector<std::uint8_t> file_with(
    const std::function<void(FlatBufferBuilder&, Classes&, Tasks&)>& fill) {
    FlatBufferBuilder builder;
    Classes classes;
    Tasks tasks;
    fill(builder, classes, tasks);
    const auto service = builder.CreateString("hostile");
    const auto nothing = builder.CreateString("");
    const auto all_classes = builder.CreateVector(classes);
    const auto partitions = builder.CreateVector(std::vector<Offset<stored::Partition>>());
    const auto all_tasks = builder.CreateVector(tasks);
    builder.Finish(stored::CreateForecastTable(
        builder, service, 1, 0, nothing, nothing, all_classes, partitions, all_tasks));
    return seal_envelope({builder.GetBufferPointer(), builder.GetSize()});
}

// Decodes, which must fail within a time that a reader thread has.
std::string refusal(const std::vector<std::uint8_t>& bytes) {
    EXPECT_LE(bytes.size(), max_forecast_file_bytes) << "the test should build what can be read";
    const auto start = std::chrono::steady_clock::now();
    const auto table = decode_forecast_table(bytes);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    return table.ok() ? "accepted" : table.error().message;
}

TEST(HostilePayload, a_fair_one_passes) {
    const auto bytes = file_with([](FlatBufferBuilder& builder, Classes& classes, Tasks&) {
        classes.push_back(stored::CreateNodeClass(
            builder, builder.CreateString("fast"), builder.CreateString("n1\nn2"), 1e9, 1));
    });
    const auto table = decode_forecast_table(bytes);
    ASSERT_TRUE(table.ok()) << table.error().message;
    EXPECT_EQ(table.value().classes[0].nodes.size(), 2u);
}

TEST(HostilePayload, one_text_shared_by_many_does_not_fill_memory) {
    EXPECT_EQ(refusal(file_with([](FlatBufferBuilder& builder, Classes& classes, Tasks&) {
                  const auto name = builder.CreateString("c");
                  const auto nodes = builder.CreateString(std::string(8 << 20, 'n'));
                  for (int i = 0; i < 1000; ++i) {
                      classes.push_back(stored::CreateNodeClass(builder, name, nodes));
                  }
              })),
              "malformed: it unfolds to more than any forecasts need");
}

TEST(HostilePayload, one_forecast_shared_by_many_does_not_fill_memory) {
    EXPECT_THAT(refusal(file_with([](FlatBufferBuilder& builder, Classes&, Tasks& tasks) {
                    const stored::EpochMeans means(1, 1, 1, 1, 1, 1, 1);
                    const auto basis = builder.CreateString(std::string(100'000, 'b'));
                    const auto forecast = stored::CreateForecast(
                        builder, 0, 1, &means, 1, 1, 0, &means, 0, 1, 1, basis);
                    const auto placements = builder.CreateVector(
                        std::vector<Offset<stored::Forecast>>(2'000'000, forecast));
                    tasks.push_back(stored::CreateTask(
                        builder, builder.CreateString("s"), builder.CreateString("t"), placements));
                })),
                StartsWith("malformed: "));
}

TEST(HostilePayload, one_task_shared_by_many_does_not_take_hours) {
    EXPECT_THAT(refusal(file_with([](FlatBufferBuilder& builder, Classes&, Tasks& tasks) {
                    const stored::EpochMeans means(1, 1, 1, 1, 1, 1, 1);
                    const auto forecast = stored::CreateForecast(
                        builder, 0, 1, &means, 1, 1, 0, &means, 0, 1, 1, builder.CreateString("b"));
                    const auto placements = builder.CreateVector(
                        std::vector<Offset<stored::Forecast>>(1'000'000, forecast));
                    const auto task = stored::CreateTask(
                        builder, builder.CreateString("s"), builder.CreateString("t"), placements);
                    tasks.assign(1'000'000, task);
                })),
                StartsWith("malformed: "));
}

TEST(HostilePayload, what_a_table_must_not_have_is_refused) {
    EXPECT_EQ(refusal(file_with([](FlatBufferBuilder& builder, Classes& classes, Tasks&) {
                  classes.push_back(stored::CreateNodeClass(
                      builder, builder.CreateString("c"), builder.CreateString("n\n\nm"), 1, 1));
              })),
              "malformed: node name '' is not a name");
    EXPECT_EQ(refusal(file_with([](FlatBufferBuilder& builder, Classes& classes, Tasks&) {
                  classes.push_back(stored::CreateNodeClass(
                      builder, builder.CreateString("c"), builder.CreateString("n"), -INFINITY));
              })),
              "malformed: class 'c': FLOP rate -inf is not positive");
}

TEST(HostilePayload, a_payload_that_is_no_flatbuffer_is_refused) {
    for (std::size_t size = 0; size < 64; ++size) {
        for (const int filling : {0x00, 0x01, 0x04, 0x7F, 0xFF}) {
            EXPECT_EQ(refusal(seal_envelope(std::vector(size, static_cast<std::uint8_t>(filling)))),
                      "malformed: not a table of forecasts");
        }
    }
}

}  // namespace
}  // namespace epochcast

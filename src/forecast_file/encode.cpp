// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <flatbuffers/flatbuffers.h>
#include <forecast_file_generated.h>

#include "forecast_file/envelope.hpp"
#include "forecast_file/forecast_file.hpp"
#include "forecast_file/table_check.hpp"

namespace epochcast {

namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

template <class T>
using Offsets = std::vector<Offset<T>>;

std::string joined_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        if (!text.empty()) text += '\n';
        text += line;
    }
    return text;
}

// Every NaN has the same bits in the file, so equal tables give equal files.
double one_nan(double value) { return value == value ? value : absent; }

stored::EpochMeans stored_means(const EpochMeans& means) {
    return stored::EpochMeans(one_nan(means.time_s),
                              one_nan(means.cpu_s),
                              one_nan(means.peak_memory_bytes),
                              one_nan(means.disk_read_bytes),
                              one_nan(means.disk_written_bytes),
                              one_nan(means.flop),
                              one_nan(means.flop_rate));
}

Offset<stored::Forecast> store(FlatBufferBuilder& builder, const PlacementForecast& placement) {
    const Forecast& forecast = placement.forecast;
    const stored::EpochMeans epoch = stored_means(forecast.epoch);
    const stored::EpochMeans mean_all = stored_means(forecast.mean_all);
    return stored::CreateForecast(builder,
                                  placement.class_index,
                                  placement.nodes,
                                  &epoch,
                                  forecast.epoch_low_s,
                                  forecast.epoch_high_s,
                                  forecast.startup_s,
                                  &mean_all,
                                  forecast.samples_per_epoch,
                                  static_cast<std::uint8_t>(forecast.rule),
                                  forecast.records,
                                  builder.CreateSharedString(forecast.basis),
                                  placement.devices_per_node);
}

Offset<stored::Task> store(FlatBufferBuilder& builder, const TaskForecasts& task) {
    Offsets<stored::Forecast> placements;
    placements.reserve(task.placements.size());
    for (const PlacementForecast& placement : task.placements) {
        placements.push_back(store(builder, placement));
    }
    return stored::CreateTask(builder,
                              builder.CreateSharedString(task.task.scope),
                              builder.CreateString(task.task.name),
                              builder.CreateVector(placements),
                              task.runs);
}

Offset<stored::NodeClass> store(FlatBufferBuilder& builder, const NodeClass& node_class) {
    return stored::CreateNodeClass(builder,
                                   builder.CreateString(node_class.name),
                                   builder.CreateString(joined_lines(node_class.nodes)),
                                   node_class.flop_rate,
                                   node_class.price_per_node_hour,
                                   node_class.cores,
                                   node_class.memory_bytes,
                                   builder.CreateString(node_class.device),
                                   node_class.devices_per_node,
                                   one_nan(node_class.price_per_device_hour));
}

Offset<stored::Partition> store(FlatBufferBuilder& builder, const PartitionRule& partition) {
    return stored::CreatePartition(builder,
                                   builder.CreateString(partition.name),
                                   static_cast<std::uint8_t>(partition.mode),
                                   builder.CreateString(joined_lines(partition.allowed_policies)));
}

template <class Stored, class Plain>
Offset<flatbuffers::Vector<Offset<Stored>>> store_all(FlatBufferBuilder& builder,
                                                      const std::vector<Plain>& items) {
    Offsets<Stored> offsets;
    offsets.reserve(items.size());
    for (const Plain& item : items) offsets.push_back(store(builder, item));
    return builder.CreateVector(offsets);
}

Offset<stored::NodeStates> store(FlatBufferBuilder& builder,
                                 const std::vector<NodeState>& node_states) {
    std::vector<std::string> names;
    std::vector<stored::NodeState> states;
    names.reserve(node_states.size());
    states.reserve(node_states.size());
    for (const NodeState& state : node_states) {
        names.push_back(state.node);
        states.emplace_back(
            state.pinged_unix_s, state.free_unix_s, state.answered, state.is_forecast);
    }
    return stored::CreateNodeStates(
        builder, builder.CreateString(joined_lines(names)), builder.CreateVectorOfStructs(states));
}

Offset<flatbuffers::Vector<const stored::PlannedJob*>> store(FlatBufferBuilder& builder,
                                                             const std::vector<PlannedJob>& plan) {
    std::vector<stored::PlannedJob> jobs;
    jobs.reserve(plan.size());
    for (const PlannedJob& job : plan) {
        jobs.emplace_back(job.start_unix_s,
                          job.planned_unix_s,
                          job.fresh_until_unix_s,
                          job.job_id,
                          job.class_index,
                          job.order);
    }
    return builder.CreateVectorOfStructs(jobs);
}

// FlatBuffers asserts beyond 2 GiB; no table near that is let through to it.
std::size_t least_size(const ForecastTable& table) {
    std::size_t bytes = 0;
    for (const NodeClass& node_class : table.classes) {
        for (const std::string& node : node_class.nodes) bytes += node.size() + 1;
    }
    for (const NodeState& state : table.node_states) bytes += state.node.size() + 1;
    for (const TaskForecasts& task : table.tasks) {
        bytes += task.task.name.size() + task.placements.size() * 2 * sizeof(stored::EpochMeans);
    }
    return bytes;
}

Error too_large(std::size_t bytes) {
    return Error{ErrorKind::bad_input,
                 "the forecasts need " + std::to_string(bytes >> 20) +
                     " MiB; a forecast file holds " +
                     std::to_string(max_forecast_file_bytes >> 20) + " MiB"};
}

}  // namespace

Result<std::vector<std::uint8_t>> encode_forecast_table(const ForecastTable& table) {
    if (auto checked = check_forecast_table(table); !checked) return checked.error();
    const std::size_t least = least_size(table);
    if (least > max_forecast_file_bytes) return too_large(least);
    FlatBufferBuilder builder(64 << 10);
    const auto classes = store_all<stored::NodeClass>(builder, table.classes);
    const auto partitions = store_all<stored::Partition>(builder, table.partitions);
    const auto tasks = store_all<stored::Task>(builder, table.tasks);
    const auto node_states = store(builder, table.node_states);
    const auto plan = store(builder, table.plan);
    const auto service = builder.CreateString(table.service);
    const auto decision_dir = builder.CreateString(table.decision_dir);
    const auto default_policy = builder.CreateString(table.default_policy);
    builder.Finish(stored::CreateForecastTable(builder,
                                               service,
                                               table.written_unix_s,
                                               table.max_age_s,
                                               decision_dir,
                                               default_policy,
                                               classes,
                                               partitions,
                                               tasks,
                                               table.settings.set_limits,
                                               table.settings.site_factor_most,
                                               table.settings.wait_most_s,
                                               node_states,
                                               plan));
    const std::span<const std::uint8_t> payload(builder.GetBufferPointer(), builder.GetSize());
    const std::size_t bytes = payload.size() + envelope_header_bytes;
    if (bytes > max_forecast_file_bytes) return too_large(bytes);
    return seal_envelope(payload);
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <flatbuffers/flatbuffers.h>
#include <forecast_file_generated.h>
#include <algorithm>
#include <cstring>
#include <memory>

#include "core/text.hpp"
#include "forecast_file/envelope.hpp"
#include "forecast_file/forecast_file.hpp"
#include "forecast_file/table_check.hpp"

namespace epochcast {

namespace {

// FlatBuffers lets many tables share one string or table, so a small hostile file can decode into a
// huge table. An honest one needs up to about ten times its size, with the shortest node names or
// one long basis for all forecasts.
constexpr std::size_t max_decoded_bytes = 16 * max_forecast_file_bytes;

Error malformed(const std::string& what) {
    return Error{ErrorKind::bad_input, "malformed: " + what};
}

// Copies a verified payload into plain structs and stops once that took too much memory.
class Decoder {
  public:
    Result<ForecastTable> table(const stored::ForecastTable& from) {
        ForecastTable to;
        to.service = text(from.service());
        to.written_unix_s = from.written_unix_s();
        to.max_age_s = from.max_age_s();
        to.decision_dir = text(from.decision_dir());
        to.default_policy = text(from.default_policy());
        copy_all(*from.classes(), to.classes);
        copy_all(*from.partitions(), to.partitions);
        copy_all(*from.tasks(), to.tasks);
        to.settings = {from.set_limits(), from.site_factor_most(), from.wait_most_s()};
        if (from.node_states() != nullptr && !copy_states(*from.node_states(), to.node_states)) {
            return malformed("there is not one state for each node");
        }
        if (from.plan() != nullptr) copy_plan(*from.plan(), to.plan);
        if (is_spent()) return malformed("it unfolds to more than any forecasts need");
        return to;
    }

  private:
    bool is_spent() const { return left_ == 0; }

    // False, from now on, once the budget does not hold `bytes` more.
    bool spend(std::size_t bytes) {
        left_ -= std::min(left_, bytes);
        return !is_spent();
    }

    std::string text(const flatbuffers::String* from) {
        return spend(from->size()) ? from->str() : std::string();
    }

    std::vector<std::string> lines(const flatbuffers::String* from) {
        std::vector<std::string> to;
        if (from->size() == 0) return to;
        for (const std::string_view line : split(from->string_view(), '\n')) {
            if (!spend(sizeof(std::string) + line.size())) break;
            to.emplace_back(line);
        }
        return to;
    }

    template <class Stored, class Plain>
    void copy_all(const flatbuffers::Vector<flatbuffers::Offset<Stored>>& from,
                  std::vector<Plain>& to) {
        const std::size_t wanted = from.size() * sizeof(Plain);
        if (!spend(wanted)) return;
        to.reserve(from.size());
        for (const Stored* item : from) {
            if (is_spent()) return;
            to.push_back(copy(*item));
        }
    }

    NodeClass copy(const stored::NodeClass& from) {
        return NodeClass{text(from.name()),
                         lines(from.nodes()),
                         from.flop_rate(),
                         from.price_per_node_hour(),
                         from.cores(),
                         from.memory_bytes(),
                         from.device() == nullptr ? std::string() : text(from.device()),
                         from.devices_per_node(),
                         from.price_per_device_hour()};
    }

    // False if there is not one state for each name.
    bool copy_states(const stored::NodeStates& from, std::vector<NodeState>& to) {
        std::vector<std::string> names = lines(from.nodes());
        if (!spend(names.size() * sizeof(NodeState))) return true;
        if (names.size() != from.states()->size()) return false;
        to.reserve(names.size());
        for (std::uint32_t i = 0; i < names.size(); ++i) {
            const stored::NodeState& state = *from.states()->Get(i);
            to.push_back({std::move(names[i]),
                          state.pinged_unix_s(),
                          state.answered(),
                          state.free_unix_s(),
                          state.is_forecast()});
        }
        return true;
    }

    void copy_plan(const flatbuffers::Vector<const stored::PlannedJob*>& from,
                   std::vector<PlannedJob>& to) {
        if (!spend(from.size() * sizeof(PlannedJob))) return;
        to.reserve(from.size());
        for (const stored::PlannedJob* job : from) {
            to.push_back({job->job_id(),
                          job->class_index(),
                          job->order(),
                          job->start_unix_s(),
                          job->planned_unix_s(),
                          job->fresh_until_unix_s()});
        }
    }

    PartitionRule copy(const stored::Partition& from) {
        return PartitionRule{
            text(from.name()), static_cast<Mode>(from.mode()), lines(from.allowed_policies())};
    }

    static EpochMeans copy(const stored::EpochMeans& from) {
        return EpochMeans{from.time_s(),
                          from.cpu_s(),
                          from.peak_memory_bytes(),
                          from.disk_read_bytes(),
                          from.disk_written_bytes(),
                          from.flop(),
                          from.flop_rate()};
    }

    PlacementForecast copy(const stored::Forecast& from) {
        PlacementForecast to;
        to.class_index = from.class_index();
        to.nodes = from.nodes();
        to.forecast.epoch = copy(*from.epoch());
        to.forecast.epoch_low_s = from.epoch_low_s();
        to.forecast.epoch_high_s = from.epoch_high_s();
        to.forecast.startup_s = from.startup_s();
        to.forecast.mean_all = copy(*from.mean_all());
        to.forecast.samples_per_epoch = from.samples_per_epoch();
        to.forecast.rule = static_cast<Rule>(from.rule());
        to.forecast.records = from.records();
        to.forecast.basis = text(from.basis());
        to.devices_per_node = from.devices_per_node();
        return to;
    }

    TaskForecasts copy(const stored::Task& from) {
        TaskForecasts to;
        to.task = TaskKey{text(from.scope()), text(from.name())};
        copy_all(*from.placements(), to.placements);
        to.runs = from.runs();
        return to;
    }

    std::size_t left_ = max_decoded_bytes;
};

// The table in this payload, which starts at a multiple of 8 bytes.
Result<ForecastTable> decode_aligned(std::span<const std::uint8_t> payload) {
    // Depth: ForecastTable, Task, Forecast. A million tables do not fit into the largest file.
    constexpr flatbuffers::uoffset_t max_depth = 4;
    constexpr flatbuffers::uoffset_t max_tables = 1'000'000;
    flatbuffers::Verifier verifier(payload.data(), payload.size(), max_depth, max_tables);
    if (!stored::VerifyForecastTableBuffer(verifier)) return malformed("not a table of forecasts");
    auto table = Decoder().table(*stored::GetForecastTable(payload.data()));
    if (!table) return table;
    if (auto checked = check_forecast_table(table.value()); !checked) {
        return malformed(checked.error().message);
    }
    return table;
}

}  // namespace

Result<ForecastTable> decode_forecast_table(std::span<const std::uint8_t> bytes) {
    const auto payload = open_envelope(bytes);
    if (!payload) return payload.error();
    const std::span<const std::uint8_t> view = payload.value();
    if (reinterpret_cast<std::uintptr_t>(view.data()) % alignof(double) == 0) {
        return decode_aligned(view);
    }
    const auto copy = std::make_unique<double[]>(view.size() / sizeof(double) + 1);
    std::memcpy(copy.get(), view.data(), view.size());
    return decode_aligned({reinterpret_cast<const std::uint8_t*>(copy.get()), view.size()});
}

}  // namespace epochcast

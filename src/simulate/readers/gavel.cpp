// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/gavel.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "simulate/readers/csv.hpp"

namespace epochcast::simulate {

namespace {

constexpr double largest = 1e15;

// The numbers of the named columns, or the error of the first that is missing.
Result<std::vector<std::size_t>> columns(const Csv& csv,
                                         const std::vector<std::string_view>& names) {
    std::vector<std::size_t> numbers;
    for (const std::string_view name : names) {
        const auto column = csv.column(name);
        if (!column) return column.error();
        numbers.push_back(column.value());
    }
    return numbers;
}

// A batch size, where empty and -1 stand for "none".
Result<std::uint64_t> batch_of(const Csv& csv, std::size_t row, std::size_t column) {
    if (csv.field(row, column).empty()) return std::uint64_t{0};
    const auto value = csv.number(row, column, -1, 1e9);
    if (!value) return value.error();
    return static_cast<std::uint64_t>(std::max(0.0, value.value()));
}

}  // namespace

Result<GavelThroughputs> GavelThroughputs::read(std::string_view text, GavelRates rates) {
    const auto csv = Csv::read("throughputs", text);
    if (!csv) return csv.error();
    const char* rate =
        rates == GavelRates::physical ? "steps_per_s_physical" : "steps_per_s_simulation";
    const auto found = columns(
        csv.value(), {"gpu_type", "consolidated", "model", "batch_size", "scale_factor", rate});
    if (!found) return found.error();
    const auto& at = found.value();
    GavelThroughputs result;
    for (std::size_t row = 0; row < csv.value().rows(); ++row) {
        if (csv.value().field(row, at[1]) != "1") continue;
        const auto batch = batch_of(csv.value(), row, at[3]);
        const auto devices = csv.value().number(row, at[4], 1, 1e6);
        const auto steps_per_s = csv.value().number(row, at[5], 0, largest);
        if (!batch) return batch.error();
        if (!devices) return devices.error();
        if (!steps_per_s) return steps_per_s.error();
        result.rates_[{std::string(csv.value().field(row, at[0])),
                       std::string(csv.value().field(row, at[2])),
                       batch.value(),
                       static_cast<std::uint32_t>(devices.value())}] = steps_per_s.value();
    }
    return result;
}

double GavelThroughputs::steps_per_s(const std::string& device_class,
                                     const std::string& model,
                                     std::uint64_t batch,
                                     std::uint32_t devices) const {
    const auto found = rates_.find({device_class, model, batch, devices});
    return found == rates_.end() ? 0 : found->second;
}

Result<Trace> read_gavel_trace(std::string_view text,
                               const GavelThroughputs& throughputs,
                               std::vector<DeviceClass> classes,
                               double arrival_unit_s) {
    const auto csv = Csv::read("trace", text);
    if (!csv) return csv.error();
    const bool has_units = csv.value().column("arrival_unit").ok();
    const auto found = columns(csv.value(),
                               {"job_id",
                                has_units ? "arrival_unit" : "arrival_s",
                                "model",
                                "batch_size",
                                "scale_factor",
                                "total_steps"});
    if (!found) return found.error();
    const auto& at = found.value();
    const auto weight_column = csv.value().column("priority_weight");
    Trace trace;
    trace.classes = std::move(classes);
    for (std::size_t row = 0; row < csv.value().rows(); ++row) {
        const auto arrival = csv.value().number(row, at[1], 0, largest);
        const auto batch = batch_of(csv.value(), row, at[3]);
        const auto devices = csv.value().number(row, at[4], 1, 1e6);
        const auto steps = csv.value().number(row, at[5], 1e-9, largest);
        if (!arrival) return arrival.error();
        if (!batch) return batch.error();
        if (!devices) return devices.error();
        if (!steps) return steps.error();
        TraceJob job;
        job.id = csv.value().field(row, at[0]);
        job.task = csv.value().field(row, at[2]);
        job.batch = batch.value();
        job.devices = static_cast<std::uint32_t>(devices.value());
        job.arrival_s = arrival.value() * (has_units ? arrival_unit_s : 1);
        job.steps = steps.value();
        if (weight_column) {
            const auto weight = csv.value().number(row, weight_column.value(), 0, largest);
            if (!weight) return weight.error();
            job.weight = weight.value();
        }
        for (const DeviceClass& device_class : trace.classes) {
            const bool has_room = device_class.devices >= job.devices;
            job.steps_per_s.push_back(
                has_room
                    ? throughputs.steps_per_s(device_class.name, job.task, job.batch, job.devices)
                    : 0);
        }
        if (std::ranges::all_of(job.steps_per_s, [](double rate) { return rate == 0; })) {
            return Error{ErrorKind::bad_input,
                         "trace job " + quoted(job.id) + " (" + quoted(job.task) + ", batch " +
                             std::to_string(job.batch) + ", " + std::to_string(job.devices) +
                             " devices) fits on no class"};
        }
        trace.jobs.push_back(std::move(job));
    }
    std::ranges::stable_sort(trace.jobs, {}, &TraceJob::arrival_s);
    return trace;
}

std::vector<DeviceClass> gavel_physical_cluster() {
    return {{"v100", 8, 2.85, 15.7e12}, {"p100", 16, 1.68, 10.6e12}, {"k80", 24, 0.52, 4.37e12}};
}

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_trial.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>

namespace bench {

using epochcast::Placement;
using epochcast::Series;

namespace {

// Samples of an epoch, the same for every model; any number gives the same relative errors.
constexpr std::uint64_t samples_per_epoch = 1'000'000;

std::string folder(const Options& options) {
    if (options.data.empty()) {
        throw std::runtime_error("needs --data DIR, the folder that holds data/");
    }
    return options.data + "/data";
}

// "1134": four nodes with 1, 1, 3 and 4 GPUs. The core knows nodes x devices; an uneven placement
// is one of its own kind, so it becomes part of the class's name.
Placement placement_of(const std::string& type, const std::string& digits) {
    const bool is_even = digits.find_first_not_of(digits[0]) == std::string::npos;
    Placement placement;
    placement.nodes = static_cast<std::uint32_t>(digits.size());
    std::uint32_t gpus = 0;
    for (const char digit : digits) gpus += static_cast<std::uint32_t>(digit - '0');
    placement.node_class = is_even ? type : type + "-" + digits;
    placement.devices_per_node = is_even ? gpus / placement.nodes : gpus;
    if (!is_even) placement.nodes = 1;
    return placement;
}

}  // namespace

const std::vector<std::string> profile_types{"t4", "rtx", "quad", "dgx-ext"};

static std::vector<Measured> read_throughputs(const std::string& path,
                                              const std::string& column,
                                              bool consolidated) {
    std::vector<Measured> table;
    for (const Row& row : read_csv(path)) {
        const double steps_per_s = number(row, column);
        if ((row.at("consolidated") == "1") != consolidated || steps_per_s <= 0) continue;
        const auto devices = static_cast<std::uint32_t>(number(row, "scale_factor"));
        Measured measured;
        measured.model = row.at("model");
        const std::string& batch = row.at("batch_size");
        measured.batch = batch.empty() ? 0 : std::stoull(batch);
        measured.placement = {row.at("gpu_type"), 1, devices};
        if (!consolidated) measured.placement = {row.at("gpu_type"), devices, 1};
        // The table counts the steps of every device.
        measured.step_s = devices / steps_per_s;
        table.push_back(std::move(measured));
    }
    return table;
}

std::vector<Measured> read_gavel(const Options& options,
                                 const std::string& column,
                                 bool consolidated) {
    return read_throughputs(
        folder(options) + "/gavel/throughputs_isolated.csv", "steps_per_s_" + column, consolidated);
}

std::vector<Measured> read_shockwave(const Options& options) {
    return read_throughputs(
        folder(options) + "/shockwave/tacc_throughputs_isolated.csv", "steps_per_s", true);
}

std::vector<Measured> read_profiles(const Options& options,
                                    const std::string& type,
                                    const std::string& kind) {
    const bool is_pollux = type == "t4";
    const std::string root = folder(options) + (is_pollux ? "/pollux/traces" : "/sia/traces");
    std::vector<std::string> models;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        models.push_back(entry.path().filename().string());
    }
    std::ranges::sort(models);
    std::vector<Measured> table;
    for (const std::string& model : models) {
        const std::string name = kind + (is_pollux ? "" : "-" + type) + ".csv";
        for (const Row& row : read_csv(root + "/" + model + "/" + name)) {
            Measured measured{model, static_cast<std::uint64_t>(number(row, "local_bsz")), {}, 0};
            measured.step_s = number(row, "step_time");
            if (kind == "placements") {
                measured.placement = placement_of(type, row.at("placement"));
            } else {
                const auto nodes = static_cast<std::uint32_t>(number(row, "num_nodes"));
                const auto gpus = static_cast<std::uint32_t>(number(row, "num_replicas"));
                measured.placement = {type, nodes, gpus / nodes};
                if (gpus % nodes != 0) {
                    measured.placement = {
                        type + "-" + std::to_string(nodes) + "x" + std::to_string(gpus), 1, gpus};
                }
            }
            table.push_back(std::move(measured));
        }
    }
    return table;
}

Series series_of(const Measured& measured) {
    Series series;
    series.task = {"cluster", measured.model};
    series.attributes.model = measured.model;
    series.placement = measured.placement;
    const double units =
        static_cast<double>(measured.placement.nodes) * measured.placement.devices_per_node;
    const double batch = measured.batch == 0 ? 1 : static_cast<double>(measured.batch);
    const double steps = static_cast<double>(samples_per_epoch) / (batch * units);
    epochcast::EpochRecord record;
    record.start_ns = 1;
    record.wall_s = measured.step_s * steps;
    if (measured.batch == 0) {
        record.steps = static_cast<std::uint64_t>(std::llround(steps));
    } else {
        series.attributes.batch_per_device = measured.batch;
        series.attributes.samples_per_epoch = samples_per_epoch;
        record.samples = samples_per_epoch;
    }
    series.records.push_back(record);
    return series;
}

namespace {

std::vector<Series> history_of(const std::vector<const Measured*>& rows) {
    std::vector<Series> history;
    history.reserve(rows.size());
    for (const Measured* measured : rows) history.push_back(series_of(*measured));
    return history;
}

Trial trial_of(const Measured& hidden, const std::optional<epochcast::Forecast>& forecast) {
    Trial trial;
    trial.measured = &hidden;
    if (!forecast) return trial;
    const double truth = series_of(hidden).records[0].wall_s;
    trial.error = std::abs(forecast->epoch.time_s / truth - 1);
    trial.is_inside = forecast->epoch_low_s <= truth && truth <= forecast->epoch_high_s;
    trial.width = (forecast->epoch_high_s - forecast->epoch_low_s) / forecast->epoch.time_s;
    trial.rule = forecast->rule;
    return trial;
}

}  // namespace

Trial forecast_hidden(const Measured& hidden, const std::vector<const Measured*>& known) {
    const Series asked = series_of(hidden);
    return trial_of(hidden,
                    epochcast::forecast_epoch(
                        history_of(known), asked.task, asked.attributes, asked.placement, {}));
}

HidingHistory::HidingHistory(const std::vector<const Measured*>& rows)
    : index_(history_of(rows), {}) {}

void HidingHistory::hide(const Measured& row) {
    const Series series = series_of(row);
    index_.remove(series.task, series.attributes, series.placement);
}

void HidingHistory::show(const Measured& row) { index_.update(series_of(row)); }

Trial HidingHistory::forecast(const Measured& hidden) const {
    const Series asked = series_of(hidden);
    return trial_of(hidden, index_.forecast(asked.task, asked.attributes, asked.placement));
}

std::vector<double> errors_of(const std::vector<Trial>& trials) {
    std::vector<double> errors;
    for (const Trial& trial : trials) errors.push_back(trial.error);
    return errors;
}

double coverage_pct(const std::vector<Trial>& trials) {
    const auto inside = std::ranges::count_if(trials, &Trial::is_inside);
    return 100 * static_cast<double>(inside) / static_cast<double>(trials.size());
}

namespace {

// Fewer trials say nothing about a rule's width.
constexpr std::size_t least_trials_of_rule = 20;

double width_ratio(const std::vector<Trial>& trials) {
    std::vector<double> widths;
    for (const Trial& trial : trials) widths.push_back(trial.width);
    return median(widths) / mean(errors_of(trials));
}

std::map<int, std::vector<Trial>> by_rule(const std::vector<Trial>& trials) {
    std::map<int, std::vector<Trial>> result;
    for (const Trial& trial : trials) result[static_cast<int>(trial.rule)].push_back(trial);
    return result;
}

Json figures_of(const std::vector<Trial>& trials) {
    const std::vector<double> errors = errors_of(trials);
    Json json;
    json.set("mean_pct", 100 * mean(errors)).set("median_pct", 100 * median(errors));
    json.set("count", static_cast<double>(trials.size()));
    json.set("coverage_pct", coverage_pct(trials));
    json.set("width_over_mean_error", width_ratio(trials));
    return json;
}

}  // namespace

double largest_width_ratio(const std::vector<Trial>& trials) {
    double largest = 0;
    for (const auto& [rule, of_rule] : by_rule(trials)) {
        if (of_rule.size() < least_trials_of_rule) continue;
        largest = std::max(largest, width_ratio(of_rule));
    }
    return largest;
}

Json summary(const std::vector<Trial>& trials) {
    Json json = figures_of(trials);
    const auto rules = by_rule(trials);
    if (rules.size() < 2) return json;
    for (const auto& [rule, of_rule] : rules) {
        json.set("rule_" + std::to_string(rule), figures_of(of_rule));
    }
    return json;
}

}  // namespace bench

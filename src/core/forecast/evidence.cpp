// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "core/forecast/rules.hpp"

namespace epochcast {

namespace {

// Who belongs together; see Family.
std::string family_key(const TaskKey& task, const TaskAttributes& attributes) {
    const bool is_named = !attributes.model.empty();
    std::string key = task.scope;
    for (const std::string& part : {is_named ? std::string() : task.name,
                                    attributes.model,
                                    attributes.framework,
                                    attributes.dataset,
                                    attributes.precision}) {
        key += '\0';
        key += part;
    }
    return key;
}

Point point_of(const Series& series, SeriesForecast summary) {
    Point point;
    point.task = series.task;
    point.attributes = series.attributes;
    point.placement = series.placement;
    point.own = std::move(summary.forecast);
    point.is_measured = !summary.is_generated;
    point.newest_ns = series.records.back().start_ns;
    const double share = units_of(series.placement) * batch_of(series.attributes, series.placement);
    const double time_s = point.own.epoch.time_s;
    point.log_pass = std::log(time_s * share);
    if (std::isfinite(point.own.step_s)) {
        point.log_step = std::log(point.own.step_s);
        point.samples = time_s / point.own.step_s * share;
    }
    return point;
}

// Mean of two values weighted by epochs; the one that is there where the other is NaN.
double merged(double a, double weight_a, double b, double weight_b) {
    if (!std::isfinite(a)) return b;
    if (!std::isfinite(b)) return a;
    return (a * weight_a + b * weight_b) / (weight_a + weight_b);
}

}  // namespace

double units_of(const Placement& placement) {
    const double nodes = std::max<std::uint32_t>(placement.nodes, 1);
    return nodes * std::max<std::uint32_t>(placement.devices_per_node, 1);
}

bool states_batch(const TaskAttributes& attributes) {
    return attributes.batch_per_device.value_or(0) > 0 || attributes.total_batch.value_or(0) > 0;
}

double batch_of(const TaskAttributes& attributes, const Placement& placement) {
    if (attributes.batch_per_device.value_or(0) > 0) {
        return static_cast<double>(*attributes.batch_per_device);
    }
    if (attributes.total_batch.value_or(0) > 0) {
        return static_cast<double>(*attributes.total_batch) / units_of(placement);
    }
    return 1;
}

Evidence::Evidence(std::span<const Series> history, std::span<const NodeClass> classes) {
    for (const NodeClass& node_class : classes) {
        flop_rates_[node_class.name] = node_class.flop_rate;
    }
    for (const Series& series : history) insert(series);
    for (const auto& [key, points] : curve_points_) rebuild_curve(key);
}

void Evidence::update(const Series& series) {
    if (const auto key = insert(series)) rebuild_curve(*key);
}

std::optional<Evidence::CurveKey> Evidence::insert(const Series& series) {
    auto summary = series.records.empty() ? std::nullopt : forecast_of_series(series);
    if (!summary) return std::nullopt;
    const auto [family, is_new] = family_numbers_.try_emplace(
        family_key(series.task, series.attributes), static_cast<std::uint32_t>(families_.size()));
    if (is_new) families_.emplace_back();
    const CurveKey key{family->second, intern(series.placement)};
    const std::uint32_t unused =
        unused_points_.empty() ? static_cast<std::uint32_t>(points_.size()) : unused_points_.back();
    const auto [point, is_added] =
        task_points_[series.task].try_emplace({series.placement, series.attributes}, unused);
    if (is_added) {
        if (unused_points_.empty()) {
            points_.emplace_back();
        } else {
            unused_points_.pop_back();
        }
        curve_points_[key].push_back(unused);
    }
    points_[point->second] = point_of(series, std::move(*summary));
    return key;
}

void Evidence::remove(const TaskKey& task,
                      const TaskAttributes& attributes,
                      const Placement& placement) {
    const auto of_task = task_points_.find(task);
    if (of_task == task_points_.end()) return;
    const auto point = of_task->second.find({placement, attributes});
    if (point == of_task->second.end()) return;
    const CurveKey key{family_numbers_.at(family_key(task, attributes)),
                       placement_numbers_.at(placement)};
    std::erase(curve_points_[key], point->second);
    unused_points_.push_back(point->second);
    of_task->second.erase(point);
    rebuild_curve(key);
}

std::uint32_t Evidence::intern(const Placement& placement) {
    const auto [found, is_new] =
        placement_numbers_.try_emplace(placement, static_cast<std::uint32_t>(placements_.size()));
    if (is_new) {
        placements_.push_back(placement);
        families_at_.emplace_back();
    }
    return found->second;
}

void Evidence::rebuild_curve(const CurveKey& key) {
    const auto [family, placement] = key;
    std::map<double, std::pair<CurvePoint, double>> by_batch;  // with the epochs seen
    for (const std::uint32_t number : curve_points_[key]) {
        const Point& point = points_[number];
        if (!point.is_measured) continue;
        const double epochs = point.own.records;
        auto& [merge, seen] = by_batch[batch_of(point.attributes, point.placement)];
        merge.batch = batch_of(point.attributes, point.placement);
        merge.log_step = merged(merge.log_step, seen, point.log_step, epochs);
        merge.log_pass = merged(merge.log_pass, seen, point.log_pass, epochs);
        if (seen == 0 || epochs > points_[merge.point].own.records) merge.point = number;
        seen += epochs;
    }
    if (by_batch.empty()) {
        families_[family].curves.erase(placement);
        std::erase(families_at_[placement], family);
        return;
    }
    Curve& curve = families_[family].curves[placement];
    curve.clear();
    for (const auto& [batch, entry] : by_batch) curve.push_back(entry.first);
    auto& at = families_at_[placement];
    const auto where = std::ranges::lower_bound(at, family);
    if (where == at.end() || *where != family) at.insert(where, family);
}

const Point* Evidence::find(const TaskKey& task,
                            const TaskAttributes& attributes,
                            const Placement& placement) const {
    const auto of_task = task_points_.find(task);
    if (of_task == task_points_.end()) return nullptr;
    const auto found = of_task->second.find({placement, attributes});
    return found == of_task->second.end() ? nullptr : &points_[found->second];
}

std::vector<const Point*> Evidence::points_of(const TaskKey& task) const {
    std::vector<const Point*> result;
    const auto found = task_points_.find(task);
    if (found == task_points_.end()) return result;
    for (const auto& [key, number] : found->second) result.push_back(&points_[number]);
    return result;
}

std::optional<std::uint32_t> Evidence::number_of(const Placement& placement) const {
    const auto found = placement_numbers_.find(placement);
    if (found == placement_numbers_.end()) return std::nullopt;
    return found->second;
}

std::optional<std::uint32_t> Evidence::family_of(const TaskKey& task,
                                                 const TaskAttributes& attributes) const {
    const auto found = family_numbers_.find(family_key(task, attributes));
    if (found == family_numbers_.end()) return std::nullopt;
    return found->second;
}

std::span<const std::uint32_t> Evidence::families_at(std::uint32_t placement) const {
    return families_at_[placement];
}

double Evidence::flop_rate(const std::string& node_class) const {
    const auto found = flop_rates_.find(node_class);
    return found == flop_rates_.end() ? absent : found->second;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What the history says, arranged for the rules of evidence: every series as one point, the points
// of one model as curves over the batch size, one curve per placement.
//
// Two points compare in seconds per step where both know their steps, else in seconds of a pass
// over the data times devices and batch, as if both went over the same data.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/forecast.hpp"

namespace epochcast {

// Devices that share an epoch: nodes x devices per node, or nodes where there are no devices.
double units_of(const Placement& placement);

// Whether a batch is stated, in either form.
bool states_batch(const TaskAttributes& attributes);

// Batch per device on this placement; 1 where it is not stated.
double batch_of(const TaskAttributes& attributes, const Placement& placement);

// What one series showed.
struct Point {
    TaskKey task;
    TaskAttributes attributes;
    Placement placement;
    Forecast own;                 // by rule 1
    double samples = absent;      // per epoch; where the batch is unknown, steps x units
    double log_step = absent;     // ln of seconds per step
    double log_pass = absent;     // ln of (seconds per epoch x units x batch)
    std::uint64_t newest_ns = 0;  // start of its newest record
    bool is_measured = true;      // false: it has nothing but generated records
};

// One batch size of a curve.
struct CurvePoint {
    double batch = 1;          // per device; 1 where it is not stated
    double log_step = absent;  // as in Point
    double log_pass = absent;
    std::uint32_t point = 0;  // the point with the most epochs, which stands for all of this batch
};

// Sorted by batch.
using Curve = std::vector<CurvePoint>;

// The curves of one model: same scope, framework, model, data set and precision, and, where the
// model is not named, same task.
struct Family {
    std::map<std::uint32_t, Curve> curves;  // by placement number
};

class Evidence {
  public:
    Evidence(std::span<const Series> history, std::span<const NodeClass> classes);

    // Adds a series, or replaces the one of the same task, attributes and placement. One without a
    // usable epoch changes nothing.
    void update(const Series& series);
    // Forgets the series, if there is one.
    void remove(const TaskKey& task, const TaskAttributes& attributes, const Placement& placement);

    // Some may be left over from series that were removed: only curves and tasks say which count.
    const std::vector<Point>& points() const { return points_; }
    const std::vector<Placement>& placements() const { return placements_; }
    const std::vector<Family>& families() const { return families_; }

    // The point of exactly this series; null if there is none.
    const Point* find(const TaskKey& task,
                      const TaskAttributes& attributes,
                      const Placement& placement) const;
    // The points of a task, by placement, then attributes.
    std::vector<const Point*> points_of(const TaskKey& task) const;
    // Placement numbers, in the order of placements.
    const std::map<Placement, std::uint32_t>& numbers() const { return placement_numbers_; }
    std::optional<std::uint32_t> number_of(const Placement& placement) const;
    std::optional<std::uint32_t> family_of(const TaskKey& task,
                                           const TaskAttributes& attributes) const;
    // Numbers of the families that have a curve at this placement, ascending.
    std::span<const std::uint32_t> families_at(std::uint32_t placement) const;
    // NaN where it is not known.
    double flop_rate(const std::string& node_class) const;

  private:
    using CurveKey = std::pair<std::uint32_t, std::uint32_t>;  // family, placement number

    // Adds or replaces the point without touching its curve, which is named; absent: nothing to do.
    std::optional<CurveKey> insert(const Series& series);
    std::uint32_t intern(const Placement& placement);
    void rebuild_curve(const CurveKey& key);

    std::vector<Point> points_;
    std::vector<Placement> placements_;
    std::vector<Family> families_;
    std::vector<std::vector<std::uint32_t>> families_at_;  // by placement number
    std::map<Placement, std::uint32_t> placement_numbers_;
    std::map<std::string, std::uint32_t> family_numbers_;
    using SeriesKey = std::pair<Placement, TaskAttributes>;
    std::map<TaskKey, std::map<SeriesKey, std::uint32_t>> task_points_;
    std::map<CurveKey, std::vector<std::uint32_t>> curve_points_;
    std::map<std::string, double> flop_rates_;
    std::vector<std::uint32_t> unused_points_;
};

}  // namespace epochcast

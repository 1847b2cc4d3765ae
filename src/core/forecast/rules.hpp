// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The rules of evidence. Each returns nothing where it does not apply; forecast_index.cpp asks the
// first, then blends the estimates of rules 2 to 4, then asks the fifth.

#include <optional>
#include <string>
#include <vector>

#include "core/forecast/batch_curve.hpp"
#include "core/forecast/evidence.hpp"
#include "core/forecast/forecast.hpp"

namespace epochcast {

// What a rule is asked: the time of a step (or of a pass, see Evidence) of this model at `batch` on
// `target`. All refer to the caller's data.
struct Query {
    const Evidence& evidence;
    const TaskAttributes& attributes;
    const Placement& target;
    const Family* family = nullptr;                   // the model's own curves; null: never seen
    std::uint32_t family_number = 0;                  // meaningful where family is set
    std::optional<std::uint32_t> target_number = {};  // absent: nothing ran on this placement
    double batch = 1;                                 // per device; 1 where it is not stated
    bool by_step = false;                             // which time of a CurvePoint counts
    double log_time(const CurvePoint& point) const {
        return by_step ? point.log_step : point.log_pass;
    }
};

// What a rule answers.
struct Estimate {
    double log_time = absent;  // ln of the time that Query asks for
    double spread = absent;    // expected error of log_time, one standard deviation
    Rule rule = Rule::other_batch;
    std::uint32_t donor = 0;    // placement number of the own curve that it rests on
    double cpu_factor = 1;      // CPU time over that at the donor, per sample
    std::uint32_t records = 0;  // epochs
    std::string basis;
};

// The points of a curve that the query can use, each once per batch.
std::vector<BatchPoint> usable(const Query& query, const Curve& curve);

// The own curve at this placement; null if there is none with a usable point.
const Curve* own_curve(const Query& query, std::uint32_t placement);

// Epochs of a curve.
std::uint32_t epochs_of(const Query& query, const Curve& curve);

// The batch as words have it.
std::string batch_text(double batch);

bool is_same_count(const Placement& a, const Placement& b);

// How little two placements tell of each other: another class counts like twice the devices.
double unlikeness(const Placement& a, const Placement& b);

// Numbers of the own placements with a usable point, by placement, so that the order in which the
// history was read decides nothing.
std::vector<std::uint32_t> own_placements(const Query& query);

// Rule 1: what a series says of itself; nothing if no record is usable.
struct SeriesForecast {
    Forecast forecast;
    bool is_generated = false;  // it rests on generated records: no steady epoch was measured
    bool is_steady = false;     // it rests on steady measured epochs
};
std::optional<SeriesForecast> forecast_of_series(const Series& series);

// Rule 2: this model here with other batches; with one batch only, the shape that this model showed
// elsewhere (which is rule 3's own ratio) or the usual one.
std::optional<Estimate> estimate_other_batch(const Query& query);

// ln time at query.batch on one own placement, by the curve there alone.
Estimate estimate_on_curve(const Query& query, std::uint32_t placement);

// Rule 3: from another class by this model's own ratio, by that of similar tasks, by FLOP rate.
std::optional<Estimate> estimate_other_class(const Query& query);

// Rule 4: from another number of nodes or devices, on this class or, by rule 3, on another.
std::optional<Estimate> estimate_other_count(const Query& query);

// Rules 2 and 3 together: everything that this model showed at the same count as one surface over
// the batch and the class.
std::optional<Estimate> estimate_on_surface(const Query& query);

// The estimates together, at least one: the mean of ln time, weighted by how little each is
// expected to err. Rule and words are those of the best one.
Estimate blended(const std::vector<Estimate>& estimates);

// Rule 5: a task never seen, from tasks of about its declared size that ran on the placement.
std::optional<Forecast> forecast_similar_task(const Query& query);

// The whole forecast for an estimate of rules 2 to 4.
Forecast forecast_from(const Query& query, const Estimate& estimate, double samples);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Measured tables as epoch records, and forecasts of what was hidden from them.

#include <functional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "core/forecast/forecast_index.hpp"

namespace bench {

// One measured value: seconds per step of all devices of a model on a placement.
struct Measured {
    std::string model;
    std::uint64_t batch = 0;  // per device; 0: not stated
    epochcast::Placement placement;
    double step_s = 0;
};

// A table of Gavel, by column of throughputs_isolated.csv; only consolidated or only spread rows.
std::vector<Measured> read_gavel(const Options& options,
                                 const std::string& column,
                                 bool consolidated);

// Shockwave's table, one type of GPU. No constant of core/forecast was chosen by it.
std::vector<Measured> read_shockwave(const Options& options);

// The profiles of one GPU type: t4 (Pollux), rtx, quad, dgx-ext (Sia). kind: "placements" or
// "scalability".
extern const std::vector<std::string> profile_types;
std::vector<Measured> read_profiles(const Options& options,
                                    const std::string& type,
                                    const std::string& kind);

// What became of one hidden value.
struct Trial {
    const Measured* measured = nullptr;
    double error = 1;        // |forecast - measured| / measured; 1 where nothing was forecast
    bool is_inside = false;  // of the 90 % interval
    double width = 0;        // of the interval over the forecast
    epochcast::Rule rule = epochcast::Rule::same_placement;
};

// One epoch of the model on its placement and nothing else.
epochcast::Series series_of(const Measured& measured);

// Asks forecast_epoch() for `hidden` with the others as history.
Trial forecast_hidden(const Measured& hidden, const std::vector<const Measured*>& known);

// A history of which some rows can be hidden for a while: as forecast_hidden(), for large tables.
class HidingHistory {
  public:
    explicit HidingHistory(const std::vector<const Measured*>& rows);
    void hide(const Measured& row);
    void show(const Measured& row);
    Trial forecast(const Measured& hidden) const;

  private:
    epochcast::ForecastIndex index_;
};

std::vector<double> errors_of(const std::vector<Trial>& trials);

// Mean and median error in per cent, trials, coverage in per cent, median width over mean error;
// and the same by rule where there are several.
Json summary(const std::vector<Trial>& trials);
double coverage_pct(const std::vector<Trial>& trials);
// Of each rule: median width over mean error. The largest of them.
double largest_width_ratio(const std::vector<Trial>& trials);

}  // namespace bench

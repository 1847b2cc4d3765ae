// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A history prepared for many forecasts. It keeps a copy of what it needs, not of the records, and
// not a reference to anything.

#include <memory>
#include <optional>
#include <span>

#include "core/forecast/forecast.hpp"

namespace epochcast {

class Evidence;

class ForecastIndex {
  public:
    ForecastIndex();
    // Time grows with the number of records. Of two series with the same task, attributes and
    // placement the later one counts.
    ForecastIndex(std::span<const Series> history, std::span<const NodeClass> classes);
    ForecastIndex(ForecastIndex&&) noexcept;
    ForecastIndex& operator=(ForecastIndex&&) noexcept;
    ~ForecastIndex();

    // Adds a series, or replaces the one with the same task, attributes and placement.
    void update(const Series& series);

    // Forgets the series, if there is one.
    void remove(const TaskKey& task, const TaskAttributes& attributes, const Placement& placement);

    // As forecast_epoch() on the history given so far. Time grows with the task's own series and
    // with the number of tasks seen, not with the number of records.
    std::optional<Forecast> forecast(const TaskKey& task,
                                     const std::optional<TaskAttributes>& attributes,
                                     const Placement& placement) const;

    std::optional<Forecast> forecast(const TaskKey& task,
                                     const TaskAttributes& attributes,
                                     const Placement& placement) const;

  private:
    std::unique_ptr<Evidence> evidence_;
};

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Gavel's traces and throughputs (shared data set gavel, SOURCE.md there): steps per second of a
// whole job by (class, model, batch, devices), and traces of jobs with their steps.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/result.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

// Which of the two measured columns.
enum class GavelRates { physical, simulation };

// Steps per second by (class, model, batch per device, devices); batch 0: the model has none. A
// combination that is absent or 0 does not fit. Consolidated placements only.
class GavelThroughputs {
  public:
    // From the text of throughputs_isolated.csv. Errors: bad_input with line and column.
    static Result<GavelThroughputs> read(std::string_view csv, GavelRates rates);

    double steps_per_s(const std::string& device_class,
                       const std::string& model,
                       std::uint64_t batch,
                       std::uint32_t devices) const;

  private:
    std::map<std::tuple<std::string, std::string, std::uint64_t, std::uint32_t>, double> rates_;
};

// From the text of a trace. `arrival_unit_s`: seconds per unit of the column arrival_unit
// (3600 / jobs per hour); a trace with arrival_s ignores it. `classes` are named as in the
// throughputs (v100, p100, k80). TraceJob::task is the model. Errors: bad_input with line and
// column; a job that fits on no class is one of them.
Result<Trace> read_gavel_trace(std::string_view csv,
                               const GavelThroughputs& throughputs,
                               std::vector<DeviceClass> classes,
                               double arrival_unit_s = 1);

// Gavel's physical cluster with its notebook's prices: 8 V100, 16 P100, 24 K80. FLOP rates: single
// precision by the makers' data sheets (V100 SXM2, P100 SXM2, one of a K80's two devices).
std::vector<DeviceClass> gavel_physical_cluster();

}  // namespace epochcast::simulate

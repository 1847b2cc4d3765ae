// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Pollux's workloads and measured profiles (Qiao et al., OSDI 2021; shared data set pollux,
// SOURCE.md there): what one training application does at any batch size and placement.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace epochcast::simulate {

struct PolluxJob {
    std::string name;
    std::string application;
    double submit_s = 0;
    std::uint32_t replicas = 0;  // tuned for this job; policies may ignore it
    std::uint64_t batch = 0;     // tuned, over all replicas
};

// From the text of a workload. Errors: bad_input with line and column.
Result<std::vector<PolluxJob>> read_pollux_workload(std::string_view csv);

// What Pollux's simulator knows of its applications beside the measured tables.
struct PolluxApplication {
    std::size_t epochs = 0;                 // after so many it is done
    std::uint64_t largest_local_batch = 0;  // of a replica; 0: the largest that was measured
};
// Nothing: not one of Pollux's six.
std::optional<PolluxApplication> pollux_application(std::string_view name);

struct StepTime {
    double step_s = 0;
    double sync_s = 0;  // the part of step_s that waits for the other replicas
};

struct PolluxTexts {
    std::string_view placements;                           // placements.csv
    std::string_view scalability;                          // scalability.csv
    std::map<std::uint64_t, std::string_view> validation;  // validation-BATCH.csv by batch
};

class PolluxProfile {
  public:
    // `epochs`: after how many the application is done. `largest_local_batch`: per replica; 0: the
    // largest that was measured. Errors: bad_input with file, line and column.
    static Result<PolluxProfile> read(const PolluxTexts& texts,
                                      std::size_t epochs,
                                      std::uint64_t largest_local_batch);

    std::size_t epochs() const { return epochs_; }
    std::uint64_t smallest_batch() const { return runs_.begin()->first; }  // over all replicas
    std::uint64_t largest_batch() const { return runs_.rbegin()->first; }
    std::uint64_t smallest_local_batch() const { return smallest_local_batch_; }
    std::uint64_t largest_local_batch() const { return largest_local_batch_; }

    // Progress by the end of epoch `epoch` (0: none), in the steps of a run at the smallest batch.
    double progress(std::size_t epoch) const;

    // Steps that a run at `batch` has taken by the end of epoch `epoch` + 1; interpolated between
    // the batches that were measured, and that of the nearest outside them.
    double steps(double batch, std::size_t epoch) const;

    // How much more a step at `batch` achieves than one at the smallest batch, during `epoch`: from
    // the gradient's noise, (var + sqr) / (var / scale + sqr).
    double gain(double batch, std::size_t epoch) const;

    // Of a step with `local_batch` per replica and placement[i] replicas on the i-th node. Measured
    // placements are interpolated over the local batch; others also over numbers of nodes and
    // replicas.
    StepTime step_time(const std::vector<std::uint32_t>& placement, double local_batch) const;

  private:
    using Curve = std::map<double, StepTime>;  // by local batch
    struct Run {                               // by epoch
        std::vector<double> progress;
        std::vector<double> steps;
        std::vector<double> sqr;
        std::vector<double> var;
    };

    Result<void> read_placements(std::string_view text);
    Result<void> read_scalability(std::string_view text);
    Result<void> read_run(std::uint64_t batch, std::string_view text);
    double between(double batch, std::size_t epoch, std::vector<double> Run::*column) const;
    StepTime spread(double nodes, double replicas, double local_batch) const;

    std::size_t epochs_ = 0;
    std::uint64_t smallest_local_batch_ = 0;
    std::uint64_t largest_local_batch_ = 0;
    std::map<std::uint64_t, Run> runs_;
    std::map<std::string, Curve> placements_;             // by digits: replicas of each node
    std::map<std::pair<double, double>, Curve> by_size_;  // by nodes and replicas
};

}  // namespace epochcast::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What Slurm does without us, as far as order and class go: it knows weights of nodes and time
// limits, not run times.

#include <cstdint>
#include <utility>
#include <vector>

#include "simulate/engine.hpp"

namespace epochcast::simulate {

struct StockOptions {
    enum class Order { arrival, shortest };  // shortest: by run time on the job's fastest class
    enum class Skip {
        nothing,   // strict FIFO: the first job that cannot start holds up the rest
        anything,  // whatever fits starts
        harmless,  // conservative backfill: every earlier job has a reservation by exact limits
    };
    enum class Choice {
        weight,   // the classes in `preference`, the first with enough idle devices
        fastest,  // its user named the class where it is fastest; it waits for that one
    };
    Order order = Order::arrival;
    Skip skip = Skip::anything;
    Choice choice = Choice::weight;
    std::vector<std::uint32_t> preference;  // class indices, best first
};

class StockScheduler : public Scheduler {
  public:
    explicit StockScheduler(StockOptions options) : options_(std::move(options)) {}
    Actions decide(const View& view) override;

  private:
    std::vector<std::uint32_t> queue(const View& view) const;
    std::vector<std::uint32_t> classes_of(const TraceJob& job) const;
    Actions backfill(const View& view, const std::vector<std::uint32_t>& queue) const;

    StockOptions options_;
};

}  // namespace epochcast::simulate

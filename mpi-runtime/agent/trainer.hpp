// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Trains one model job from its current state to its last epoch, or to a signal: steps, epoch
// records, checkpoints, progress.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "agent/collective.hpp"
#include "agent/epoch_meter.hpp"
#include "agent/report.hpp"
#include "agent/step.hpp"
#include "agent/worker_pool.hpp"
#include "epoch_log/writer.hpp"
#include "job/checkpoint.hpp"

namespace epochcast::runtime {

// Where rank 0 keeps what outlives the run. Other ranks have none of it.
struct Keeping {
    std::optional<LogWriter> log;
    std::filesystem::path checkpoint;  // a file; empty: none is written
    std::string checkpoint_identity;
};

class Trainer {
  public:
    // Holds references to all that it is given. `tell` gets one line, without newline, from rank 0.
    Trainer(const Plan& plan,
            Collective& collective,
            WorkerPool& pool,
            Board board,
            Keeping& keeping,
            std::function<void(const std::string&)> tell);

    // Sets the state that training begins with, the same on every rank. Sizes must fit the board.
    void start_from(TrainState state, bool is_resumed);

    // Trains until all epochs are done or a stop signal came on any node. Errors: environment, the
    // same on every node. A log or checkpoint that cannot be written is told once, and training
    // goes on.
    Result<Ending> train();

  private:
    struct EpochSums {
        double loss = 0;  // of all nodes, of the whole epoch
        std::uint64_t all_samples = 0;
        std::uint64_t own_samples = 0;
        std::uint64_t steps = 0;
        double own_flop = 0;
        int stop_signal = 0;
    };
    Result<EpochSums> train_epoch();
    EpochRecord own_record(const EpochMeter& meter, const EpochSums& sums) const;
    bool is_whole(const EpochSums& sums) const { return step_ + sums.steps == plan_.cut.steps(); }
    Result<void> finish();
    void keep_epoch(const EpochRecord& own, std::uint64_t deaths);
    void keep_checkpoint(const EpochSums& sums);
    void log_row(const EpochRecord& row);
    void log_event(EventKind kind, std::uint64_t epoch, const std::string& text);
    void tell_once(bool& told, const std::string& line);
    Result<std::optional<double>> accuracy();

    const Plan& plan_;
    Collective& collective_;
    WorkerPool& pool_;
    Board board_;
    Keeping& keeping_;
    std::function<void(const std::string&)> tell_;
    StepRunner steps_;
    std::uint64_t epoch_ = 0;  // the next step to do
    std::uint64_t step_ = 0;
    double epoch_loss_sum_ = 0;
    bool is_resumed_ = false;
    bool told_log_ = false;
    bool told_checkpoint_ = false;
    bool told_loss_ = false;
    Ending ending_;
};

}  // namespace epochcast::runtime

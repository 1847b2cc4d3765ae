// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "agent/stop_signal.hpp"
#include "job/epoch_rows.hpp"
#include "job/optimiser.hpp"
#include "job/seed.hpp"

namespace epochcast::runtime {

namespace {

// One node's part of an epoch, as sent to rank 0.
struct NodeEpoch {
    EpochRecord record;
    std::uint64_t deaths = 0;
};

struct NodeScore {
    std::uint64_t correct = 0;
    std::uint64_t failed = 0;
};

void copy_state(std::span<const float> from, std::span<float> to) {
    std::ranges::copy(from, to.begin());
}

}  // namespace

Trainer::Trainer(const Plan& plan,
                 Collective& collective,
                 WorkerPool& pool,
                 Board board,
                 Keeping& keeping,
                 std::function<void(const std::string&)> tell)
    : plan_(plan),
      collective_(collective),
      pool_(pool),
      board_(board),
      keeping_(keeping),
      tell_(std::move(tell)),
      steps_(plan.job, plan.cut, collective, pool, board) {}

void Trainer::start_from(TrainState state, bool is_resumed) {
    copy_state(state.parameters, board_.parameters());
    copy_state(state.velocity, steps_.velocity());
    copy_state(state.statistics, board_.statistics());
    epoch_ = state.epoch;
    step_ = state.step;
    epoch_loss_sum_ = state.epoch_loss_sum;
    is_resumed_ = is_resumed;
}

Result<Trainer::EpochSums> Trainer::train_epoch() {
    const auto order =
        epoch_order(plan_.job.seed, epoch_, static_cast<std::uint32_t>(plan_.cut.samples));
    EpochSums sums;
    sums.loss = epoch_loss_sum_;
    for (std::uint64_t step = step_; step < plan_.cut.steps(); ++step) {
        const auto outcome = steps_.run(order, epoch_, step, stop_signal());
        if (!outcome.ok()) {
            return outcome.error();
        }
        sums.loss += outcome.value().loss_sum;
        sums.own_samples += outcome.value().own_samples;
        sums.own_flop += outcome.value().own_flop;
        ++sums.steps;
        sums.stop_signal = outcome.value().stop_signal;
        if (sums.stop_signal != 0) {
            break;
        }
    }
    return sums;
}

// This node's row of the epoch (or part of one) that just ran.
EpochRecord Trainer::own_record(const EpochMeter& meter, const EpochSums& sums) const {
    const bool is_first = ending_.epochs.empty();
    const std::uint64_t seen = std::min((step_ + sums.steps) * plan_.job.batch, plan_.cut.samples);
    EpochRecord own = meter.read(pool_.pids());
    own.epoch = epoch_;
    own.unit = static_cast<std::int32_t>(collective_.rank());
    own.flags = (is_first ? epoch_warm_up : 0U) | (is_first && is_resumed_ ? epoch_resumed : 0U) |
                (is_whole(sums) ? 0U : epoch_partial);
    own.flop = sums.own_flop;
    own.flop_rate = sums.own_flop / own.wall_s;
    own.samples = sums.own_samples;
    own.steps = sums.steps;
    own.loss = sums.loss / static_cast<double>(seen);
    return own;
}

Result<Ending> Trainer::train() {
    for (; epoch_ < plan_.job.epochs; ++epoch_, step_ = 0, epoch_loss_sum_ = 0) {
        const EpochMeter meter(pool_.pids());
        const std::uint64_t deaths = pool_.deaths();
        const auto sums = train_epoch();
        if (!sums.ok()) {
            log_event(EventKind::failure, epoch_, sums.error().message);
            return sums.error();
        }
        keep_checkpoint(sums.value());
        keep_epoch(own_record(meter, sums.value()), pool_.deaths() - deaths);
        const bool is_last = is_whole(sums.value()) && epoch_ + 1 == plan_.job.epochs;
        if (sums.value().stop_signal != 0 && !is_last) {
            ending_.stop_signal = sums.value().stop_signal;
            break;
        }
    }
    if (auto finished = finish(); !finished.ok()) {
        return finished.error();
    }
    return ending_;
}

Result<void> Trainer::finish() {
    if (ending_.stop_signal != 0) {
        log_event(EventKind::end, epoch_, "stopped by a signal");
    } else {
        auto score = accuracy();
        if (!score.ok()) {
            return score.error();
        }
        ending_.accuracy = score.value();
        log_event(EventKind::end, plan_.job.epochs - 1, "all epochs are trained");
    }
    std::vector<float> state(board_.parameters().begin(), board_.parameters().end());
    state.insert(state.end(), board_.statistics().begin(), board_.statistics().end());
    ending_.parameters_digest = bit_digest(state);
    return {};
}

void Trainer::keep_epoch(const EpochRecord& own, std::uint64_t deaths) {
    const auto nodes = collective_.gather_values(NodeEpoch{own, deaths});
    std::vector<EpochRecord> rows;
    std::uint64_t all_deaths = 0;
    for (const NodeEpoch& node : nodes) {
        rows.push_back(node.record);
        all_deaths += node.deaths;
    }
    const EpochRecord whole = model_job_row(rows);
    ending_.epochs.push_back(whole);
    ending_.worker_deaths += all_deaths;
    if (collective_.rank() != 0) {
        return;
    }
    for (const EpochRecord& row : rows) {
        log_row(row);
    }
    log_row(whole);
    if (all_deaths > 0) {
        log_event(EventKind::failure,
                  whole.epoch,
                  std::to_string(all_deaths) + " worker(s) died and were replaced");
    }
    tell_(epoch_line(whole, plan_.job.epochs));
    if (!std::isfinite(whole.loss)) {
        tell_once(told_loss_, "the loss is no longer a number: try a lower learning_rate");
    }
}

void Trainer::keep_checkpoint(const EpochSums& sums) {
    if (keeping_.checkpoint.empty()) {
        return;
    }
    const auto parameters = board_.parameters();
    const auto statistics = board_.statistics();
    TrainState state{epoch_ + 1,
                     0,
                     0,
                     {parameters.begin(), parameters.end()},
                     steps_.velocity(),
                     {statistics.begin(), statistics.end()}};
    if (!is_whole(sums)) {
        state.epoch = epoch_;
        state.step = step_ + sums.steps;
        state.epoch_loss_sum = sums.loss;
    }
    const auto written = write_checkpoint(keeping_.checkpoint, keeping_.checkpoint_identity, state);
    if (!written.ok()) {
        tell_once(told_checkpoint_,
                  "training goes on without this checkpoint: " + written.error().message);
    }
}

void Trainer::log_row(const EpochRecord& row) {
    const auto appended = keeping_.log ? keeping_.log->append(row) : Result<void>();
    if (!appended.ok()) {
        tell_once(told_log_,
                  "training goes on, but this epoch is not logged: " + appended.error().message);
    }
}

void Trainer::log_event(EventKind kind, std::uint64_t epoch, const std::string& text) {
    const auto appended =
        keeping_.log ? keeping_.log->append(LogEvent{kind, now_ns(), epoch, text}) : Result<void>();
    if (!appended.ok()) {
        tell_once(told_log_, "the epoch log is incomplete: " + appended.error().message);
    }
}

void Trainer::tell_once(bool& told, const std::string& line) {
    if (!std::exchange(told, true)) {
        tell_(line);
    }
}

Result<std::optional<double>> Trainer::accuracy() {
    const auto total = static_cast<std::uint32_t>(board_.plan().size.test_samples);
    if (total == 0) {
        return std::optional<double>();
    }
    std::vector<std::uint32_t> order(total);
    std::iota(order.begin(), order.end(), 0U);
    const auto own = share_of_node(total, collective_.rank(), collective_.size());
    const std::uint32_t chunk = board_.plan().size.index_capacity;
    NodeScore score;
    std::uint32_t begin = own.begin;
    while (begin < own.end && score.failed == 0) {
        std::vector<PoolTask> wave;
        for (; begin < own.end && wave.size() < board_.plan().size.results; begin += chunk) {
            Task task;
            task.kind = TaskKind::evaluate;
            task.result = static_cast<std::uint32_t>(wave.size());
            const auto samples = std::min(chunk, own.end - begin);
            wave.push_back({task, std::span(order).subspan(begin, samples)});
        }
        score.failed = pool_.run(wave).ok() ? 0 : 1;
        for (std::uint32_t i = 0; i < wave.size(); ++i) {
            score.correct += board_.result(i).correct;
        }
    }
    std::uint64_t correct = 0;
    for (const NodeScore& node : collective_.gather_values(score)) {
        if (node.failed != 0) {
            return Error{ErrorKind::environment,
                         "training is complete, but the workers could not compute the accuracy"};
        }
        correct += node.correct;
    }
    return std::optional(static_cast<double>(correct) / total);
}

}  // namespace epochcast::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/agent.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "agent/epoch_meter.hpp"
#include "agent/log_header.hpp"
#include "agent/node_facts.hpp"
#include "agent/planning.hpp"
#include "agent/report.hpp"
#include "agent/stop_signal.hpp"
#include "agent/trainer.hpp"
#include "agent/worker_pool.hpp"
#include "core/text.hpp"
#include "epoch_log/writer.hpp"
#include "job/preparation.hpp"
#include "job/seed.hpp"

namespace epochcast::runtime {

namespace {

constexpr int exit_requeue = 75;  // EX_TEMPFAIL: start it again

template <class T>
Result<void> outcome_of(const Result<T>& result) {
    return result.ok() ? Result<void>() : Result<void>(result.error());
}

// One run of the program, from preparation to the end; each step agrees with the other ranks.
class Run {
  public:
    Run(const CommandLine& line, const Launch& launch, const Environment& environment)
        : line_(line),
          launch_(launch),
          environment_(environment),
          start_ns_(now_ns()),
          identity_(identify_job(
              environment, host_name(), static_cast<int>(getpid()), start_ns_ / 1'000'000'000)) {}

    int exit_code_of(const JoinRanks& join_ranks) {
        const auto done = run(join_ranks);
        if (done.ok()) {
            return done.value();
        }
        if (launch_.rank == 0) {
            std::fflush(stdout);
            std::fprintf(stderr, "epochcast-train: %s\n", done.error().message.c_str());
        }
        return exit_code(done.error().kind);
    }

  private:
    Result<int> run(const JoinRanks& join_ranks) {
        auto ready = prepare(line_, environment_, identity_, affinity_cpus());
        auto outcome = outcome_of(ready);
        if (outcome.ok()) {
            ready_.emplace(std::move(ready).value());
            outcome = launch_pool();
        }
        collective_ = join_ranks();
        if (auto agreed = agreement(outcome); !agreed.ok()) {
            return agreed.error();
        }
        if (auto planned = agreement(make_plan()); !planned.ok()) {
            return planned.error();
        }
        if (line_.dry_run) {
            say(line_.json ? plan_json(plan_) : plan_text(plan_));
            return 0;
        }
        return train();
    }

    Result<int> train() {
        auto opened = open_board();
        if (auto agreed = agreement(outcome_of(opened)); !agreed.ok()) {
            return agreed.error();
        }
        Keeping keeping;
        std::optional<TrainState> state;
        auto kept = collective_->rank() == 0 ? open_keeping(keeping, state) : Result<void>();
        if (auto agreed = agreement(kept); !agreed.ok()) {
            return agreed.error();
        }
        if (!line_.json) {
            say(plan_text(plan_));
        }
        Trainer trainer(
            plan_, *collective_, *pool_, opened.value(), keeping, [&](const auto& told) {
                tell(told);
            });
        share_state(trainer, opened.value(), std::move(state));
        auto ending = trainer.train();
        if (!ending.ok()) {
            return ending.error();
        }
        if (keeping.log) {
            ending.value().log = keeping.log->path();
        }
        say(line_.json ? ending_json(plan_, ending.value()) : ending_text(ending.value()));
        return ending.value().stop_signal == 0 ? 0 : exit_requeue;
    }

    Result<void> launch_pool() {
        auto pool = WorkerPool::launch(
            ready_->model, parameter_seed(ready_->job.seed), ready_->job.micro_batch);
        if (!pool.ok()) return pool.error();
        pool_.emplace(std::move(pool).value());
        return {};
    }

    // Waits for the model, gathers the nodes, and sizes the board.
    Result<void> make_plan() {
        const auto nodes =
            collective_->gather_values(node_facts(identity_.host, ready_->cpus, ready_->workers));
        bool one_model = true;
        for (const NodeFacts& node : nodes) {
            plan_.nodes.push_back({node.host.data(), node.cpus, node.workers});
            one_model = one_model && node.cpu_model == nodes.front().cpu_model;
        }
        if (!one_model) {
            tell("nodes have unlike CPUs: another set of nodes may give other bits");
        }
        const auto size = pool_->model_size();
        if (!size.ok()) {
            return size.error();
        }
        board_plan_ =
            plan_board(board_size(*ready_, size.value(), collective_->rank(), collective_->size()));
        fill_plan(plan_, *ready_, size.value(), board_plan_);
        return check_memory(board_plan_.total_bytes, available_memory_bytes());
    }

    Result<Board> open_board() {
        auto board = pool_->open_board(board_plan_);
        if (board.ok()) {
            std::ranges::copy(ready_->data.train.images, board.value().train_images().begin());
            std::ranges::copy(ready_->data.train.labels, board.value().train_labels().begin());
            std::ranges::copy(ready_->data.test.images, board.value().test_images().begin());
            std::ranges::copy(ready_->data.test.labels, board.value().test_labels().begin());
            ready_->data = DataSet{};
        }
        return board;
    }

    // The state to go on from, if there is a checkpoint.
    Result<std::optional<TrainState>> saved_state() const {
        if (ready_->checkpoint.empty()) {
            return std::optional<TrainState>();
        }
        if (auto made = make_writable(ready_->job.checkpoint); !made.ok()) {
            return made.error();
        }
        auto read = read_checkpoint(ready_->checkpoint, ready_->checkpoint_identity);
        const auto& size = board_plan_.size;
        if (read.ok() && read.value() &&
            (read.value()->parameters.size() != size.parameter_floats ||
             read.value()->statistics.size() != size.statistic_floats ||
             read.value()->step >= ready_->cut.steps())) {
            return Error{ErrorKind::bad_input,
                         "checkpoint " + quoted(ready_->checkpoint.string(), 200) +
                             ": was written for another build of this model; delete it to train "
                             "from the beginning"};
        }
        return read;
    }

    // Rank 0: the checkpoint, if there is one, and the epoch log.
    Result<void> open_keeping(Keeping& keeping, std::optional<TrainState>& state) {
        auto saved = saved_state();
        if (!saved.ok()) {
            return saved.error();
        }
        state = std::move(saved).value();
        keeping.checkpoint = ready_->checkpoint;
        keeping.checkpoint_identity = ready_->checkpoint_identity;
        if (state && state->epoch >= ready_->job.epochs) {
            tell("all epochs are trained already: raise epochs to go on, or delete " +
                 keeping.checkpoint.string() + " to train again");
            return {};
        }
        if (state) {
            tell("resuming from " + keeping.checkpoint.string() + " at epoch " +
                 std::to_string(state->epoch + 1) + ", step " + std::to_string(state->step + 1));
        }
        auto log = LogWriter::create(
            ready_->log_dir, log_header(plan_, identity_, getuid(), start_ns_), state.has_value());
        if (!log.ok()) {
            return log.error();
        }
        keeping.log.emplace(std::move(log).value());
        return {};
    }

    // All ranks start from rank 0's state, bit for bit.
    void share_state(Trainer& trainer, Board board, std::optional<TrainState> state) {
        struct Progress {
            std::uint64_t resumes = 0;
            std::uint64_t epoch = 0;
            std::uint64_t step = 0;
            double loss_sum = 0;
        } progress;
        if (state) {
            progress = {1, state->epoch, state->step, state->epoch_loss_sum};
        }
        collective_->broadcast(std::as_writable_bytes(std::span(&progress, 1)));
        TrainState shared = state.value_or(TrainState{});
        shared.parameters.resize(board.parameters().size());
        shared.velocity.resize(board.parameters().size());
        shared.statistics.resize(board.statistics().size());
        if (progress.resumes == 0) {
            std::ranges::copy(board.parameters(), shared.parameters.begin());
            std::ranges::copy(board.statistics(), shared.statistics.begin());
        }
        shared.epoch = progress.epoch;
        shared.step = progress.step;
        shared.epoch_loss_sum = progress.loss_sum;
        collective_->broadcast(std::as_writable_bytes(std::span(shared.parameters)));
        collective_->broadcast(std::as_writable_bytes(std::span(shared.velocity)));
        collective_->broadcast(std::as_writable_bytes(std::span(shared.statistics)));
        trainer.start_from(std::move(shared), progress.resumes != 0);
    }

    Result<void> agreement(const Result<void>& mine) {
        return agree(*collective_, mine, identity_.host);
    }

    void say(const std::string& text) const {
        if (launch_.rank == 0) {
            std::fputs(text.c_str(), stdout);
            std::fflush(stdout);
        }
    }

    // A line for people: on stderr where stdout is for a program.
    void tell(const std::string& text) const {
        if (launch_.rank == 0) {
            std::FILE* const out = line_.json ? stderr : stdout;
            std::fprintf(out, "%s\n", text.c_str());
            std::fflush(out);
        }
    }

    const CommandLine& line_;
    const Launch& launch_;
    const Environment& environment_;
    std::uint64_t start_ns_;
    JobIdentity identity_;
    std::optional<Preparation> ready_;
    std::unique_ptr<Collective> collective_;
    std::optional<WorkerPool> pool_;  // ends first: then other ranks are waited for
    BoardPlan board_plan_;
    Plan plan_;
};

}  // namespace

int run_agent(const CommandLine& line,
              const Launch& launch,
              const Environment& environment,
              const JoinRanks& join_ranks) {
    watch_stop_signals();
    return Run(line, launch, environment).exit_code_of(join_ranks);
}

}  // namespace epochcast::runtime

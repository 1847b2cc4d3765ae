// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What `epochcast run` does while a program runs: recognises its epochs, measures its processes,
// writes the log, and says in the end what came of it.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "cli/run_log.hpp"
#include "cli/run_rows.hpp"
#include "epoch_log/job_identity.hpp"
#include "recognise/recogniser.hpp"

namespace epochcast {

struct RunSettings {
    LogHeader header;
    std::filesystem::path log_dir;
    EpochUnit unit;
    bool sees_all_nodes = true;
    bool is_resumed = false;
    double partial_every_s = 60;  // rows of an epoch of steps or tokens that has not ended
};

class RunRecorder {
  public:
    // warn: is given a sentence when rows cannot be written, once.
    RunRecorder(RunSettings settings, std::function<void(const std::string&)> warn);

    void output(std::size_t stream, std::string_view bytes);
    void tick(int pid);

    // The program ended with this code. What was recorded and where, or why nothing was, in one
    // line; empty where the program could not be started.
    std::string finish(int exit_code, bool is_task_proposed);

  private:
    void take(const EpochEvent& event);
    void append(const std::vector<EpochRecord>& rows, double now_s);
    void sample(double now_s);
    void append_partial(double now_s);
    void tell_trouble();
    std::string nothing_recognised() const;

    RunSettings settings_;
    std::function<void(const std::string&)> warn_;
    double start_s_;
    UseTrack use_;
    RunRows rows_;
    RunLog log_;
    Recogniser recogniser_;
    int pid_ = 0;
    double last_sample_s_;
    double last_row_s_;
    std::uint64_t epochs_ = 0;      // whole ones that were recorded
    std::uint64_t last_epoch_ = 0;  // index of the last row
    double total_s_ = 0;
    bool has_rows_ = false;
};

}  // namespace epochcast

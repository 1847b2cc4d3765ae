// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Tells what was decided: a line in the decision journal when a job starts or its plan changes, and
// a one-line summary in the job's system_comment. Hands over copies; the journal's thread writes.

#include <array>
#include <memory>

#include "select/candidates.hpp"

namespace epochcast::slurm {

class Recorder {
  public:
    // log is called with one line when the journal cannot be written.
    explicit Recorder(void (*log)(const char* line)) : log_(log) {}
    // Writes what is queued.
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // After the stock function: test.nodes are the nodes it chose if `success`. RUN_NOW with
    // success is a start and is always recorded; WILL_RUN is a plan and is recorded when it differs
    // from the last one of this job and partition. Throws std::bad_alloc.
    void record(const JobTest& test,
                const Plan& plan,
                bool success,
                ClassMap& map,
                const Candidates& candidates);

  private:
    bool changed(const JobTest& test, const Plan& plan);
    void fill(const JobTest& test,
              const Plan& plan,
              bool started,
              ClassMap& map,
              const Candidates& candidates);
    void fill_stock_choice(const Plan& plan, bool started, const Candidates& candidates);
    void comment(job_record_t* job, const Plan& plan, bool started) const;

    // Last plan of a job, as a hash; a job that meets another in its slot is recorded once more.
    struct Known {
        uint64_t job = 0;
        uint64_t plan = 0;
    };
    std::array<Known, 1024> known_{};
    std::unique_ptr<epochcast_decision_t> decision_;  // reused
    epochcast_journal_t* journal_ = nullptr;
    void (*const log_)(const char* line);
};

}  // namespace epochcast::slurm

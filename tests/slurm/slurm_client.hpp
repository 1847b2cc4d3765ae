// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What the live tests ask of slurmctld a thousand times, hence from within one process: jobs given
// as text (random_jobs.hpp) are tested, allocated, submitted and cancelled through libslurm. The
// cluster is the one that SLURM_CONF names. A word that is not understood ends the program.

#include <cstdint>
#include <string>

namespace slurm_client {

// Call once, before anything else.
void start();

struct Answer {
    bool accepted = false;
    std::uint32_t job_id = 0;
    std::string nodes;   // as Slurm writes them; empty: none yet
    std::string reason;  // why not accepted
    // "n[1-3]", or "-" while accepted without nodes, or "refused (REASON)".
    std::string text() const;
};

// sbatch --test-only: where and whether the job would start, now or later.
Answer will_run(const std::string& job);
// salloc --immediate: starts the job at once or refuses it. Returns when that is decided.
Answer allocate_now(const std::string& job);
// sbatch. held: it does not start.
Answer submit(const std::string& job, bool held);
void cancel(std::uint32_t job_id);

struct JobState {
    std::string state;          // PENDING, RUNNING (also while nodes boot), or another word
    std::string nodes;          // where it runs
    std::string planned;        // where backfill means to start it
    std::int64_t start_unix_s;  // when it started, or is expected to
};
JobState state_of(std::uint32_t job_id);

}  // namespace slurm_client

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Runs another program, without a shell, and takes what it prints.

#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

struct ChildOutput {
    int exit_code = 0;  // 128 + signal if a signal ended it
    std::string text;   // standard output, at most 1 MiB; the error stream is the caller's
};

// The texts as exec() and posix_spawn() want them, with a null at the end; they point into `texts`.
std::vector<char*> pointers_to(const std::vector<std::string>& texts);

// arguments[0] is looked up in PATH. `environment` holds "NAME=value" texts. Errors: environment if
// it cannot be started.
Result<ChildOutput> run_child(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment);

// The caller's environment without Slurm's variables of a job (SLURM_CONF stays), so that srun asks
// for nodes of its own also where it is called inside a job.
std::vector<std::string> environment_outside_jobs();

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A name for a task that nobody named, from the command that trains it: the script with its folder
// and the arguments, but those that change from run to run without changing what an epoch costs
// (seed, learning rate, count of epochs, names) or that say where things lie.

#include <filesystem>
#include <string>
#include <vector>

namespace epochcast {

// As parse_task_name() accepts it. working_dir: where the command runs.
std::string proposed_task(const std::vector<std::string>& command,
                          const std::filesystem::path& working_dir);

}  // namespace epochcast

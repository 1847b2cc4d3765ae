// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Text files that a command line names, whole: traces, tables, accounting output.

#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace epochcast {

// The whole text; pipes and /dev/stdin too. Errors: environment if it cannot be read, bad_input
// above 256 MiB. `what` says in the message what it should have been: "trace".
Result<std::string> read_text_file(const std::string& what, const std::filesystem::path& file);

}  // namespace epochcast

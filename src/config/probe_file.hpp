// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The FLOP rates that `epochcast probe` measured, one per class, as a small TOML file. The
// configuration takes a class's rate from here where it states none itself.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

struct ProbedRate {
    std::string node_class;
    double flop_rate = 0;  // FLOP/s of one node, above 0
    std::string node;      // where it was measured
    std::uint32_t threads = 0;
    std::string measured_at;  // RFC 3339, UTC
};

// A missing file is an empty list. Errors: environment, bad_input with file and line.
Result<std::vector<ProbedRate>> read_probe_file(const std::filesystem::path& file);

// Writes the file (mode 0644) and missing folders by write, fsync, rename: a reader sees the old
// file or the new one. Errors: environment with path and reason.
Result<void> write_probe_file(const std::filesystem::path& file, std::span<const ProbedRate> rates);

}  // namespace epochcast

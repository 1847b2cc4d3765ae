// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Slurm's host lists ("fast[1-2],mid1"), expanded by libslurm itself so that names come out exactly
// as Slurm writes them. Refuses what libslurm would misread (an unclosed bracket) or blow up on.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace epochcast {

inline constexpr std::size_t max_hosts = 65536;  // Slurm's own limit for one range

// The names in the order written, duplicates kept. At least one. Errors: bad_input that quotes the
// list, names the part that is wrong and says what is allowed. Memory is bounded by max_hosts.
Result<std::vector<std::string>> expand_hostlist(std::string_view text);

// The shortest list of these names: {"n1", "n2"} -> "n[1-2]". Empty for none.
std::string compress_hostlist(const std::vector<std::string>& hosts);

}  // namespace epochcast

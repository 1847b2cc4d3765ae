// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Times and durations as Slurm's commands print them.

#include <optional>
#include <string_view>

#include "core/result.hpp"

namespace epochcast::simulate {

// Seconds since 1970 of "2024-04-04T19:29:45", read as if it were UTC: a change of the clocks
// within a trace shows as an hour. No value for "", "None", "Unknown" and "N/A". Errors
// (bad_input): other text, a date that does not exist, a year outside 1970 to 9999.
Result<std::optional<double>> parse_slurm_time(std::string_view what, std::string_view text);

// Seconds of "[days-]hours:minutes:seconds" or "minutes:seconds[.fraction]". No value for "",
// "None", "Unknown", "N/A", "INVALID", "UNLIMITED" and "Partition_Limit". Errors (bad_input): other
// text.
Result<std::optional<double>> parse_slurm_duration(std::string_view what, std::string_view text);

}  // namespace epochcast::simulate

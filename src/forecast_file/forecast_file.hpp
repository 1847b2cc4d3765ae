// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The forecast file: the small, checked file that the Slurm plugins read. A header with magic,
// length and checksum, then a FlatBuffers payload (forecast_file.fbs). Written by write, fsync,
// rename; read into private memory, verified, and copied into plain structs. Never mapped.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/forecast_table.hpp"
#include "core/result.hpp"

namespace epochcast {

inline constexpr std::uint64_t max_forecast_file_bytes = 16u << 20;

// The bytes of a forecast file. Error: bad_input if they would exceed max_forecast_file_bytes.
Result<std::vector<std::uint8_t>> encode_forecast_table(const ForecastTable& table);

// The table in these bytes. Any byte string is survived; errors are bad_input and say what is
// wrong: "empty", "truncated: 100 of 2048 bytes", "not a forecast file", "checksum", "malformed".
// Class indices, sort orders, ranges and numbers (finite, positive) are checked too.
Result<ForecastTable> decode_forecast_table(std::span<const std::uint8_t> bytes);

// Writes `<dir>/<table.service>.fb` by write, fsync, rename (mode 0644); a reader sees the old file
// or the new one. Errors: environment with path and reason.
Result<std::filesystem::path> write_forecast_file(const std::filesystem::path& dir,
                                                  const ForecastTable& table);

// Reads and decodes one file. Errors: as decode_forecast_table(), environment if it cannot be read.
Result<ForecastTable> read_forecast_file(const std::filesystem::path& path);

// Reads every *.fb of the folder and merges them: per (task, class, nodes) and per partition the
// newer file wins; a class named in two files must list the same nodes, else the older file is
// dropped. A bad or stale file (older than its max_age_s at now_unix_s) drops only itself, with one
// sentence in `problems`. Error: environment/bad_input if no usable file is left.
Result<ForecastTable> read_forecast_dir(const std::filesystem::path& dir,
                                        std::int64_t now_unix_s,
                                        std::vector<std::string>& problems);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Quantities as people read them in tables ("-" where nothing was measured) and as programs read
// them in JSON (null where nothing was measured).

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/context.hpp"
#include "core/epoch_record.hpp"
#include "core/forecast/forecast.hpp"
#include "core/task.hpp"

namespace epochcast {

// Text from outside without control characters and invalid UTF-8, cut after max_bytes.
std::string plain(std::string_view hostile, std::size_t max_bytes = 60);

std::string duration_cell(double seconds);
std::string bytes_cell(double bytes);
std::string bytes_cell(std::uint64_t bytes);
std::string count_cell(std::uint64_t count);
std::string flop_cell(double flop, const char* unit);  // "12.3 GFLOP/s" for the unit "FLOP/s"
// Four significant digits, no exponent for what people pay or lose.
std::string number_cell(double value);
// "3.10 to 3.40 s", "980 ms to 1.20 s", or "-" where an end is unknown.
std::string interval_cell(double low_s, double high_s);
std::string time_cell(std::uint64_t unix_ns);               // "2026-01-02 03:04:05 UTC"
std::string plural(std::uint64_t count, const char* noun);  // "1 epoch", "2 epochs"

Json json_number(double value);
Json json_count(std::uint64_t count);
Json json_text(const std::string& text);  // null if empty
Json json_task(const TaskKey& task);
Json json_attributes(const TaskAttributes& attributes);
Json json_forecast(const Forecast& forecast);

// "model cnn, data set fashion-mnist, batch 64"; "" where nothing is stated.
std::string attributes_text(const TaskAttributes& attributes);

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/plausible.hpp"

#include <cmath>
#include <cstdio>

namespace epochcast {
namespace {

constexpr double ten_years_s = 3.2e8;
// A million CPUs or accelerators for ten years.
constexpr double max_device_s = 1e6 * ten_years_s;
constexpr double max_flop = 1e30;                // ten years at 3e21 FLOP/s, above any machine
constexpr double max_flop_rate = 1e24;           // FLOP/s
constexpr std::uint64_t max_count = 1ull << 60;  // an exbibyte
constexpr std::uint32_t known_flags =
    epoch_warm_up | epoch_resumed | epoch_partial | epoch_generated;

struct RealField {
    const char* name;
    double EpochRecord::*value;
    double max;
};
constexpr RealField real_fields[] = {
    {"wall_s", &EpochRecord::wall_s, ten_years_s},
    {"cpu_s", &EpochRecord::cpu_s, max_device_s},
    {"flop", &EpochRecord::flop, max_flop},
    {"flop_rate", &EpochRecord::flop_rate, max_flop_rate},
    {"device_busy_s", &EpochRecord::device_busy_s, max_device_s},
};

struct CountField {
    const char* name;
    std::uint64_t EpochRecord::*value;
};
constexpr CountField count_fields[] = {
    {"peak_memory_bytes", &EpochRecord::peak_memory_bytes},
    {"disk_read_bytes", &EpochRecord::disk_read_bytes},
    {"disk_written_bytes", &EpochRecord::disk_written_bytes},
    {"syscall_read_bytes", &EpochRecord::syscall_read_bytes},
    {"syscall_written_bytes", &EpochRecord::syscall_written_bytes},
    {"samples", &EpochRecord::samples},
    {"steps", &EpochRecord::steps},
    {"device_memory_bytes", &EpochRecord::device_memory_bytes},
};

std::string shown(const char* name, double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%s is %g", name, value);
    return text;
}

}  // namespace

std::optional<std::string> implausibility(const EpochRecord& record) {
    if (record.unit < unit_model_job) {
        return "unit is " + std::to_string(record.unit);
    }
    if ((record.flags & ~known_flags) != 0) {
        return "flags are " + std::to_string(record.flags) + ", not all of them known";
    }
    if (record.unit == unit_model_job && std::isnan(record.wall_s)) {
        return "wall_s is absent";
    }
    // An epoch that took no time was not run.
    if (record.wall_s == 0) {
        return "wall_s is 0";
    }
    for (const RealField& field : real_fields) {
        const double value = record.*field.value;
        if (!std::isnan(value) && !(value >= 0 && value <= field.max)) {
            return shown(field.name, value);
        }
    }
    for (const CountField& field : count_fields) {
        const std::uint64_t value = record.*field.value;
        if (value != absent_count && value > max_count) {
            return std::string(field.name) + " is " + std::to_string(value);
        }
    }
    return std::nullopt;
}

}  // namespace epochcast

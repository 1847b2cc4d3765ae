// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The cluster of a simulation: what the trace brings along, changed by --class, --speed and --site.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/site.hpp"
#include "core/result.hpp"
#include "simulate/trace.hpp"

namespace epochcast {

// --class NAME=COUNT[@PRICE]
struct ClassChange {
    std::string name;
    std::uint32_t devices = 0;    // 0: the class is taken away
    std::optional<double> price;  // per device and hour
};

// Above it a simulation of free devices takes hours.
inline constexpr std::uint32_t most_devices_of_class = 100'000;

// Errors (usage): malformed, or a class given twice; the value and what is allowed are named.
Result<std::vector<ClassChange>> parse_class_changes(const std::vector<std::string>& texts);

// --speed CLASS=FACTOR. Errors as above.
Result<std::map<std::string, double>> parse_speeds(const std::vector<std::string>& texts);

// Changes the classes, and adds those that are new at the end. Errors (usage): no class is left;
// (bad_input): a class has more devices than can be simulated.
Result<void> change_classes(std::vector<simulate::DeviceClass>& classes,
                            const std::vector<ClassChange>& changes);

// The site's classes, one device a node.
std::vector<simulate::DeviceClass> classes_of_site(const Site& site);

// "8 v100 at 2.85/h, 16 p100"
std::string classes_text(const std::vector<simulate::DeviceClass>& classes);

}  // namespace epochcast

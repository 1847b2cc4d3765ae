// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/simulate_cluster.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "cli/words.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr double largest_price = 1e6;
constexpr double slowest = 1e-3;
constexpr double fastest = 1e3;

Error bad_option(const char* option, const std::string& text, const std::string& what) {
    return {ErrorKind::usage, std::string(option) + " " + epochcast::quoted(text) + " " + what};
}

Result<ClassChange> parse_class_change(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
        return bad_option("--class", text, "is not NAME=COUNT or NAME=COUNT@PRICE");
    }
    ClassChange change;
    change.name = text.substr(0, equals);
    const std::size_t at = text.find('@', equals);
    const std::size_t end = at == std::string::npos ? text.size() : at;
    const std::string what = "--class " + epochcast::quoted(text) + ": COUNT";
    const auto count =
        parse_count(what, text.substr(equals + 1, end - equals - 1), 0, most_devices_of_class);
    if (!count) return count.error();
    change.devices = static_cast<std::uint32_t>(count.value());
    if (at == std::string::npos) return change;
    const auto price = parse_number(
        "--class " + epochcast::quoted(text) + ": PRICE", text.substr(at + 1), 0, largest_price);
    if (!price) return price.error();
    change.price = price.value();
    return change;
}

}  // namespace

Result<std::vector<ClassChange>> parse_class_changes(const std::vector<std::string>& texts) {
    std::vector<ClassChange> changes;
    std::set<std::string> names;
    for (const std::string& text : texts) {
        auto change = parse_class_change(text);
        if (!change) return change.error();
        if (!names.insert(change.value().name).second) {
            return bad_option("--class", text, "names a class that was given before: give it once");
        }
        changes.push_back(std::move(change).value());
    }
    return changes;
}

Result<std::map<std::string, double>> parse_speeds(const std::vector<std::string>& texts) {
    std::map<std::string, double> speeds;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos) {
            return bad_option("--speed", text, "is not CLASS=FACTOR");
        }
        const auto factor = parse_number("--speed " + epochcast::quoted(text) + ": FACTOR",
                                         text.substr(equals + 1),
                                         slowest,
                                         fastest);
        if (!factor) return factor.error();
        if (!speeds.emplace(text.substr(0, equals), factor.value()).second) {
            return bad_option("--speed", text, "names a class that was given before: give it once");
        }
    }
    return speeds;
}

Result<void> change_classes(std::vector<simulate::DeviceClass>& classes,
                            const std::vector<ClassChange>& changes) {
    for (const ClassChange& change : changes) {
        auto found = std::ranges::find(classes, change.name, &simulate::DeviceClass::name);
        if (found == classes.end()) {
            classes.push_back({change.name});
            found = classes.end() - 1;
        }
        found->devices = change.devices;
        if (change.price) found->price_per_device_hour = *change.price;
    }
    std::erase_if(classes, [](const auto& device_class) { return device_class.devices == 0; });
    if (classes.empty()) {
        return Error{ErrorKind::usage,
                     "the cluster has no class: give --class NAME=COUNT with a COUNT above 0"};
    }
    for (const simulate::DeviceClass& device_class : classes) {
        if (device_class.devices <= most_devices_of_class) continue;
        return Error{ErrorKind::bad_input,
                     "class " + epochcast::quoted(device_class.name) + " has " +
                         std::to_string(device_class.devices) + " devices, and at most " +
                         std::to_string(most_devices_of_class) +
                         " can be simulated: give --class " + plain(device_class.name) + "=COUNT"};
    }
    return {};
}

std::vector<simulate::DeviceClass> classes_of_site(const Site& site) {
    std::vector<simulate::DeviceClass> classes;
    for (const NodeClass& node_class : site.classes) {
        simulate::DeviceClass& made = classes.emplace_back();
        made.name = node_class.name;
        made.devices = static_cast<std::uint32_t>(node_class.nodes.size());
        if (std::isfinite(node_class.price_per_node_hour)) {
            made.price_per_device_hour = node_class.price_per_node_hour;
        }
        if (std::isfinite(node_class.flop_rate)) made.flop_rate = node_class.flop_rate;
    }
    return classes;
}

std::string classes_text(const std::vector<simulate::DeviceClass>& classes) {
    std::string text;
    for (const simulate::DeviceClass& device_class : classes) {
        text += (text.empty() ? "" : ", ") + std::to_string(device_class.devices) + " " +
                plain(device_class.name);
        if (device_class.price_per_device_hour > 0) {
            text += fmt::format(" at {:g}/h", device_class.price_per_device_hour);
        }
    }
    return text;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/site.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "slurm_view/hostlist.hpp"

namespace epochcast {

namespace {

Result<void> check_exists(const std::filesystem::path& file, const char* named_by) {
    std::error_code failure;
    if (std::filesystem::exists(file, failure)) return {};
    const std::string reason = failure ? failure.message() : "there is no such file";
    return Error{ErrorKind::environment,
                 "configuration " + epochcast::quoted(file.string(), 200) + " (from " + named_by +
                     ") cannot be read: " + reason};
}

Result<NodeClass> expand_class(const ClassConfig& config) {
    auto nodes = expand_hostlist(config.nodes);
    if (!nodes) {
        return Error{ErrorKind::bad_input,
                     config.where + ": class " + epochcast::quoted(config.name) + ": " +
                         nodes.error().message};
    }
    NodeClass expanded;
    expanded.name = config.name;
    expanded.nodes = std::move(nodes).value();
    expanded.flop_rate = config.flop_rate;
    expanded.price_per_node_hour = config.price_per_node_hour;
    expanded.cores = config.cores;
    expanded.memory_bytes = config.memory_bytes;
    expanded.device = config.device;
    expanded.devices_per_node = config.devices_per_node;
    expanded.price_per_device_hour = config.price_per_device_hour;
    return expanded;
}

// Notes each node of the newest class as its own. Post-condition on success: every node of
// `site.classes` is in exactly one class.
Result<void> claim_nodes(Site& site, const std::string& where) {
    const std::size_t index = site.classes.size() - 1;
    for (const std::string& node : site.classes[index].nodes) {
        const auto [known, is_new] = site.class_of_host.emplace(node, index);
        if (is_new) continue;
        const std::string other =
            known->second == index
                ? "named twice in class " + epochcast::quoted(site.classes[index].name)
                : "in the classes " + epochcast::quoted(site.classes[known->second].name) +
                      " and " + epochcast::quoted(site.classes[index].name);
        return Error{ErrorKind::bad_input,
                     fmt::format("{}: node {} is {}: a node belongs to one class, once",
                                 where,
                                 epochcast::quoted(node),
                                 other)};
    }
    return {};
}

}  // namespace

Result<Config> load_config(Context& context) {
    std::vector<std::filesystem::path> files;
    if (context.config_file) {
        const auto found = check_exists(*context.config_file, "--config");
        if (!found) return found.error();
        files.push_back(*context.config_file);
    } else {
        const Environment& environment = context.environment;
        files = config_places(
            environment.xdg_config_home, environment.home, environment.epochcast_config);
        if (!environment.epochcast_config.empty()) {
            const auto found = check_exists(environment.epochcast_config, "$EPOCHCAST_CONFIG");
            if (!found) return found.error();
        }
    }
    auto config = read_config(files);
    if (!config) return config;
    for (const std::string& warning : config.value().warnings) complain(context, warning);
    return config;
}

Result<Site> load_site(Context& context) {
    auto config = load_config(context);
    if (!config) return config.error();
    Site site{std::move(config).value(), {}, {}};
    for (const ClassConfig& class_config : site.config.classes) {
        auto expanded = expand_class(class_config);
        if (!expanded) return expanded.error();
        site.classes.push_back(std::move(expanded).value());
        if (auto claimed = claim_nodes(site, class_config.where); !claimed) return claimed.error();
    }
    return site;
}

Result<Site> load_site_with_classes(Context& context) {
    auto site = load_site(context);
    if (!site || !site.value().classes.empty()) return site;
    std::string read;
    for (const auto& file : site.value().config.files) read += " " + file.string();
    return Error{ErrorKind::bad_input,
                 "no node class is configured (files read:" + (read.empty() ? " none" : read) +
                     "): add [[class]] with name and nodes to /etc/epochcast/epochcast.toml or to "
                     "the file that --config names"};
}

std::optional<std::string> find_class(const Site& site, const std::string& host) {
    auto known = site.class_of_host.find(host);
    if (known == site.class_of_host.end()) {
        known = site.class_of_host.find(host.substr(0, host.find('.')));
    }
    if (known == site.class_of_host.end()) return std::nullopt;
    return site.classes[known->second].name;
}

}  // namespace epochcast

// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The site as configured: the configuration of this command line, and its node classes with host
// lists expanded.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/context.hpp"
#include "config/config.hpp"
#include "core/node_class.hpp"

namespace epochcast {

struct Site {
    Config config;
    std::vector<NodeClass> classes;
    std::unordered_map<std::string, std::size_t> class_of_host;  // index into classes
};

// Reads --config, or the three places. A file that the user named (--config, $EPOCHCAST_CONFIG)
// must exist. Warnings of the configuration are printed. Errors: as read_config(), environment.
Result<Config> load_config(Context& context);

// load_config() and the classes. Errors too: bad_input for a bad host list or a node in two
// classes, with the file and line of the class.
Result<Site> load_site(Context& context);

// As load_site(), but a configuration without any class is an error that says what to add.
Result<Site> load_site_with_classes(Context& context);

// The class of a host, also by its short name where it was recorded with its domain.
std::optional<std::string> find_class(const Site& site, const std::string& host);

}  // namespace epochcast

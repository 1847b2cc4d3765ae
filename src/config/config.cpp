// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/probe_file.hpp"
#include "config/toml_document.hpp"
#include "core/text.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

namespace {

constexpr std::size_t max_name_bytes = 63;  // what the decision records of src/decide hold

// Stores what was read, or passes the error on.
template <class T, class Value>
Result<void> store(T& target, Result<Value> value) {
    if (!value) return value.error();
    target = static_cast<T>(std::move(value).value());
    return {};
}

// A name that is safe in file names, messages and tables.
Result<std::string> read_name(const TomlEntry& entry) {
    auto text = toml_text(entry, max_name_bytes);
    if (!text) return text;
    const auto is_plain = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view("._-").find(c) != std::string_view::npos;
    };
    const std::string& name = text.value();
    const bool is_good = !name.empty() && name[0] != '.' && std::ranges::all_of(name, is_plain);
    if (is_good) return text;
    return not_allowed(entry,
                       "1 to 63 of the characters A-Z a-z 0-9 . _ - that do not start with a dot");
}

// A path; a relative one counts from the folder of the file that names it. Empty only if allowed.
Result<std::filesystem::path> read_path(const TomlEntry& entry, bool may_be_empty) {
    const auto text = toml_text(entry);
    if (!text) return text.error();
    if (text.value().empty()) {
        if (may_be_empty) return std::filesystem::path();
        return not_allowed(entry, "a path");
    }
    const std::filesystem::path path = text.value();
    if (path.is_absolute()) return path.lexically_normal();
    const auto folder = std::filesystem::absolute(entry.file).parent_path();
    return (folder / path).lexically_normal();
}

Result<std::string> read_policy(const TomlEntry& entry, bool may_be_empty) {
    auto text = toml_text(entry);
    if (!text) return text;
    if (text.value().empty() && may_be_empty) return text;
    const auto policy = parse_policy(text.value());
    if (policy) return to_text(policy.value());
    return Error{ErrorKind::bad_input,
                 entry.place() + ": " + entry.key + ": " + policy.error().message};
}

Result<std::string> read_scope(const TomlEntry& entry) {
    auto text = toml_text(entry);
    if (text && text.value() != "user" && text.value() != "cluster") {
        return not_allowed(entry, "\"user\" or \"cluster\"");
    }
    return text;
}

Result<Mode> read_mode(const TomlEntry& entry) {
    const auto text = toml_text(entry);
    if (!text) return text.error();
    if (text.value() == "off") return Mode::off;
    if (text.value() == "shadow") return Mode::shadow;
    if (text.value() == "on") return Mode::on;
    return not_allowed(entry, "\"off\", \"shadow\" or \"on\"");
}

Result<std::vector<std::string>> read_policies(const TomlEntry& entry) {
    if (!entry.value->is_array()) return not_allowed(entry, "a list such as [\"cost\", \"time\"]");
    std::vector<std::string> policies;
    for (const toml::value& value : entry.value->as_array()) {
        auto policy = read_policy({entry.file, entry.key, &value}, false);
        if (!policy) return policy.error();
        policies.push_back(std::move(policy).value());
    }
    return policies;
}

Result<std::string> read_nodes(const TomlEntry& entry) {
    auto text = toml_text(entry, 1u << 16);
    if (text && trimmed(text.value()).empty()) {
        return not_allowed(entry, "a Slurm hostlist such as \"fast[1-2]\"");
    }
    return text;
}

// Reads the tables of one file and merges each into the element of its name.
template <class T>
class NamedTables {
  public:
    using ReadKeys = std::function<Result<void>(const TomlEntry&, T&)>;

    NamedTables(std::vector<T>& all, const char* label, ReadKeys read_keys)
        : all_(all), label_(label), read_keys_(std::move(read_keys)) {}

    Result<void> take(const TomlEntry& entry) const {
        const std::string tables = "[[" + std::string(label_) + "]] tables";
        if (!entry.value->is_array()) return not_allowed(entry, tables);
        std::vector<std::string> seen;
        for (const toml::value& table : entry.value->as_array()) {
            if (!table.is_table()) return not_allowed(entry, tables);
            if (auto taken = take_one({entry.file, label_, &table}, seen); !taken) return taken;
        }
        return {};
    }

  private:
    Result<void> take_one(const TomlEntry& table, std::vector<std::string>& seen) const {
        if (!table.value->contains("name")) {
            return Error{
                ErrorKind::bad_input,
                table.place() + ": this [[" + label_ + "]] has no name: add name = \"...\""};
        }
        const TomlEntry name_entry{table.file, "name", &table.value->at("name")};
        const auto name = read_name(name_entry);
        if (!name) return name.error();
        if (std::ranges::find(seen, name.value()) != seen.end()) {
            return Error{ErrorKind::bad_input,
                         name_entry.place() + ": name = " + epochcast::quoted(name.value()) +
                             " is taken: each [[" + label_ + "]] of a file has its own name"};
        }
        seen.push_back(name.value());
        auto known = std::ranges::find(all_, name.value(), &T::name);
        if (known == all_.end()) {
            T fresh;
            fresh.name = name.value();
            known = all_.insert(all_.end(), std::move(fresh));
        }
        return read_keys_(table, *known);
    }

    std::vector<T>& all_;
    const char* label_;
    ReadKeys read_keys_;
};

Result<void> read_class(const TomlEntry& table, ClassConfig& target) {
    constexpr std::uint64_t max_cores = 1u << 20;
    constexpr std::uint64_t max_memory_bytes = std::uint64_t{1} << 60;
    if (target.where.empty()) target.where = table.place();
    const auto take_name = [](const TomlEntry&) { return Result<void>(); };
    const auto take_nodes = [&](const TomlEntry& e) {
        target.where = e.place();
        return store(target.nodes, read_nodes(e));
    };
    const TomlKey keys[] = {
        {"name", take_name},
        {"nodes", take_nodes},
        {"flop_rate",
         [&](const TomlEntry& e) { return store(target.flop_rate, toml_positive(e)); }},
        {"price_per_node_hour",
         [&](const TomlEntry& e) { return store(target.price_per_node_hour, toml_positive(e)); }},
        {"price_per_device_hour",
         [&](const TomlEntry& e) { return store(target.price_per_device_hour, toml_positive(e)); }},
        {"device", [&](const TomlEntry& e) { return store(target.device, read_name(e)); }},
        {"devices_per_node",
         [&](const TomlEntry& e) {
             return store(target.devices_per_node, toml_count(e, 0, 4096));
         }},
        {"cores",
         [&](const TomlEntry& e) { return store(target.cores, toml_count(e, 1, max_cores)); }},
        {"memory_bytes",
         [&](const TomlEntry& e) {
             return store(target.memory_bytes, toml_count(e, 1, max_memory_bytes));
         }},
    };
    return read_toml_table(table.file, *table.value, "[[class]]", keys);
}

Result<void> read_partition(const TomlEntry& table, PartitionRule& target) {
    const TomlKey keys[] = {
        {"name", [](const TomlEntry&) { return Result<void>(); }},
        {"mode", [&](const TomlEntry& e) { return store(target.mode, read_mode(e)); }},
        {"policies",
         [&](const TomlEntry& e) { return store(target.allowed_policies, read_policies(e)); }},
    };
    return read_toml_table(table.file, *table.value, "[[partition]]", keys);
}

Result<void> read_file(const std::filesystem::path& file, Config& config) {
    const auto document = load_toml(file);
    if (!document) return document.error();
    const NamedTables<ClassConfig> classes(config.classes, "class", read_class);
    const NamedTables<PartitionRule> partitions(config.partitions, "partition", read_partition);
    const auto path_key = [](const char* name, std::filesystem::path& target, bool may_be_empty) {
        return TomlKey{name, [&target, may_be_empty](const TomlEntry& e) {
                           return store(target, read_path(e, may_be_empty));
                       }};
    };
    const TomlKey keys[] = {
        {"service", [&](const TomlEntry& e) { return store(config.service, read_name(e)); }},
        path_key("log_dir", config.log_dir, true),
        path_key("history_dir", config.history_dir, false),
        path_key("forecast_dir", config.forecast_dir, false),
        path_key("decision_dir", config.decision_dir, true),
        path_key("probe_file", config.probe_file, false),
        {"max_age_s",
         [&](const TomlEntry& e) {
             return store(config.max_age_s,
                          toml_count(e, 0, std::numeric_limits<std::uint32_t>::max()));
         }},
        {"default_policy",
         [&](const TomlEntry& e) { return store(config.default_policy, read_policy(e, true)); }},
        {"set_limits",
         [&](const TomlEntry& e) { return store(config.plugins.set_limits, toml_flag(e)); }},
        {"site_factor_most",
         [&](const TomlEntry& e) {
             return store(config.plugins.site_factor_most, toml_count(e, 0, 1'000'000'000));
         }},
        {"wait_most_s",
         [&](const TomlEntry& e) {
             return store(config.plugins.wait_most_s, toml_count(e, 0, std::uint64_t{7} * 86400));
         }},
        {"scope", [&](const TomlEntry& e) { return store(config.scope, read_scope(e)); }},
        {"class", [&](const TomlEntry& e) { return classes.take(e); }},
        {"partition", [&](const TomlEntry& e) { return partitions.take(e); }},
    };
    return read_toml_table(file.string(), document.value(), "the configuration", keys);
}

// What must hold once all files are merged.
Result<void> check_classes(const Config& config) {
    for (const ClassConfig& node_class : config.classes) {
        if (!std::isnan(node_class.price_per_node_hour) &&
            !std::isnan(node_class.price_per_device_hour)) {
            return Error{ErrorKind::bad_input,
                         node_class.where + ": class " + epochcast::quoted(node_class.name) +
                             " has price_per_node_hour and price_per_device_hour: keep one"};
        }
        if (!std::isnan(node_class.price_per_device_hour) && node_class.devices_per_node == 0) {
            return Error{ErrorKind::bad_input,
                         node_class.where + ": class " + epochcast::quoted(node_class.name) +
                             " has price_per_device_hour but no devices_per_node: state it"};
        }
        if (!node_class.nodes.empty()) continue;
        return Error{ErrorKind::bad_input,
                     node_class.where + ": class " + epochcast::quoted(node_class.name) +
                         " has no nodes: add a Slurm hostlist such as nodes = \"fast[1-2]\""};
    }
    return {};
}

Result<void> fill_probed_rates(Config& config) {
    const auto rates = read_probe_file(config.probe_file);
    if (!rates && rates.error().kind == ErrorKind::environment) {
        // The rates serve the last resort of forecasting only: who may not read them goes on.
        config.warnings.push_back("FLOP rates are not known: " + rates.error().message);
        return {};
    }
    if (!rates) return rates.error();
    for (ClassConfig& node_class : config.classes) {
        const auto rate =
            std::ranges::find(rates.value(), node_class.name, &ProbedRate::node_class);
        if (std::isnan(node_class.flop_rate) && rate != rates.value().end()) {
            node_class.flop_rate = rate->flop_rate;
        }
    }
    return {};
}

}  // namespace

Result<Config> read_config(std::span<const std::filesystem::path> files) {
    Config config;
    for (const std::filesystem::path& file : files) {
        std::error_code failure;
        const bool is_missing = !std::filesystem::exists(file, failure) && !failure;
        if (is_missing) continue;
        if (auto read = read_file(file, config); !read) return read.error();
        config.files.push_back(file);
    }
    if (auto checked = check_classes(config); !checked) return checked.error();
    if (auto filled = fill_probed_rates(config); !filled) return filled.error();
    return config;
}

std::vector<std::filesystem::path> config_places(const std::string& xdg_config_home,
                                                 const std::string& home,
                                                 const std::string& epochcast_config) {
    std::vector<std::filesystem::path> places = {"/etc/epochcast/epochcast.toml"};
    if (!xdg_config_home.empty()) {
        places.push_back(std::filesystem::path(xdg_config_home) / "epochcast/config.toml");
    } else if (!home.empty()) {
        places.push_back(std::filesystem::path(home) / ".config/epochcast/config.toml");
    }
    if (!epochcast_config.empty()) places.emplace_back(epochcast_config);
    return places;
}

}  // namespace epochcast

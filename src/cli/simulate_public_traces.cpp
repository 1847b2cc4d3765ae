// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Gavel's and Pollux's traces, with the tables that belong to them.

#include <algorithm>
#include <map>

#include "cli/simulate_input.hpp"
#include "cli/text_file.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "simulate/epochs.hpp"
#include "simulate/readers/csv.hpp"
#include "simulate/readers/gavel.hpp"

namespace epochcast {

namespace {

using namespace simulate;
using std::filesystem::path;

constexpr double most_jobs_per_hour = 1e6;
constexpr std::uint32_t generated_devices = 36;  // of each class, for Gavel's generated traces

// The option's value, or one of the places where the public data sets have it.
Result<path> find_beside(const path& trace,
                         const std::optional<path>& given,
                         const std::vector<path>& places,
                         const std::string& missing) {
    if (given) return *given;
    for (const path& place : places) {
        std::error_code ignored;
        const path there = trace.parent_path() / place;
        if (std::filesystem::exists(there, ignored)) return there.lexically_normal();
    }
    return Error{ErrorKind::usage, missing};
}

bool is_generated(const std::string& text) {
    const auto csv = Csv::read("trace", text);
    return csv && csv.value().column("arrival_unit").ok();
}

Result<GavelRates> rates_of(const TraceOptions& options, bool generated) {
    if (!options.rates) return generated ? GavelRates::simulation : GavelRates::physical;
    if (*options.rates == "physical") return GavelRates::physical;
    if (*options.rates == "simulation") return GavelRates::simulation;
    return Error{ErrorKind::usage,
                 "--rates " + epochcast::quoted(*options.rates) + " is not physical or simulation"};
}

Result<double> arrival_unit_s(const TraceOptions& options, bool generated) {
    if (!generated) {
        if (!options.jobs_per_hour) return 1.0;
        return Error{ErrorKind::usage,
                     "--jobs-per-hour is for traces with a column arrival_unit; this one has "
                     "arrival_s, in seconds"};
    }
    if (options.is_at_once) return 1.0;
    if (!options.jobs_per_hour) {
        return Error{ErrorKind::usage,
                     "the trace has a column arrival_unit: say with --jobs-per-hour R how many "
                     "jobs arrive, or with --at-once that all are there at the start"};
    }
    const auto rate =
        parse_number("--jobs-per-hour", *options.jobs_per_hour, 1e-3, most_jobs_per_hour);
    if (!rate) return rate.error();
    return 3600 / rate.value();
}

Result<std::vector<DeviceClass>> gavel_cluster(Context& context,
                                               const TraceOptions& options,
                                               bool generated) {
    std::vector<DeviceClass> classes = gavel_physical_cluster();
    if (generated) {
        for (DeviceClass& device_class : classes) device_class.devices = generated_devices;
    }
    if (options.uses_site) {
        const auto site = load_site_with_classes(context);
        if (!site) return site.error();
        classes = classes_of_site(site.value());
    }
    const auto changes = parse_class_changes(options.classes);
    if (!changes) return changes.error();
    if (const auto done = change_classes(classes, changes.value()); !done) return done.error();
    return classes;
}

// The batches of a profile's validation-<batch>.csv files with their texts.
Result<std::map<std::uint64_t, std::string>> read_validations(const path& folder) {
    std::map<std::uint64_t, std::string> texts;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
        const std::string name = entry.path().stem().string();
        constexpr std::string_view prefix = "validation-";
        if (entry.path().extension() != ".csv" || !name.starts_with(prefix)) continue;
        const auto batch = parse_count("batch", name.substr(prefix.size()), 1, 1'000'000'000);
        if (!batch) {
            return Error{ErrorKind::bad_input,
                         plain(entry.path().string(), 200) + ": the name's batch is no number"};
        }
        auto text = read_text_file("profile", entry.path());
        if (!text) return text.error();
        texts[batch.value()] = std::move(text).value();
    }
    if (texts.empty()) {
        return Error{ErrorKind::environment,
                     "profile " + epochcast::quoted(folder.string(), 200) +
                         " cannot be read: it has no file validation-<batch>.csv"};
    }
    return texts;
}

// Epochs that all of its runs have.
std::size_t epochs_in(const std::map<std::uint64_t, std::string>& validations) {
    std::size_t epochs = SIZE_MAX;
    for (const auto& [batch, text] : validations) {
        const auto csv = Csv::read("validation", text);
        epochs = std::min(epochs, csv ? csv.value().rows() : 0);
    }
    return epochs;
}

Result<PolluxProfile> read_profile(const path& folder, const std::string& application) {
    const auto placements = read_text_file("profile", folder / "placements.csv");
    if (!placements) return placements.error();
    const auto scalability = read_text_file("profile", folder / "scalability.csv");
    if (!scalability) return scalability.error();
    const auto validations = read_validations(folder);
    if (!validations) return validations.error();
    PolluxTexts texts{placements.value(), scalability.value(), {}};
    for (const auto& [batch, text] : validations.value()) texts.validation[batch] = text;
    const auto known = pollux_application(application);
    auto profile = PolluxProfile::read(texts,
                                       known ? known->epochs : epochs_in(validations.value()),
                                       known ? known->largest_local_batch : 0);
    if (!profile) return in_file(folder, profile.error());
    return profile;
}

// --class t4=COUNT[@PRICE]: whole nodes.
Result<double> pollux_price(const TraceOptions& options, PolluxCluster& cluster) {
    const auto changes = parse_class_changes(options.classes);
    if (!changes) return changes.error();
    double price = 0;
    for (const ClassChange& change : changes.value()) {
        const bool is_whole = change.devices > 0 && change.devices % cluster.devices_per_node == 0;
        if (change.name != "t4" || !is_whole) {
            return Error{ErrorKind::usage,
                         "--class " +
                             epochcast::quoted(change.name + "=" + std::to_string(change.devices)) +
                             " is not allowed: a Pollux workload has the class t4 alone, " +
                             std::to_string(cluster.devices_per_node) +
                             " devices a node, such as --class t4=64@0.98"};
        }
        cluster.nodes = change.devices / cluster.devices_per_node;
        price = change.price.value_or(0);
    }
    return price;
}

}  // namespace

Result<SimulatedTrace> read_gavel(Context& context,
                                  const TraceOptions& options,
                                  const std::string& text) {
    const bool generated = is_generated(text);
    const auto rates = rates_of(options, generated);
    if (!rates) return rates.error();
    const auto unit_s = arrival_unit_s(options, generated);
    if (!unit_s) return unit_s.error();
    const auto file = find_beside(options.trace,
                                  options.throughputs,
                                  {"throughputs_isolated.csv", "../throughputs_isolated.csv"},
                                  "a Gavel trace needs --throughputs FILE: steps per second by "
                                  "class, model, batch and devices (throughputs_isolated.csv)");
    if (!file) return file.error();
    const auto table = read_text_file("throughputs", file.value());
    if (!table) return table.error();
    const auto throughputs = GavelThroughputs::read(table.value(), rates.value());
    if (!throughputs) return in_file(file.value(), throughputs.error());
    auto classes = gavel_cluster(context, options, generated);
    if (!classes) return classes.error();
    auto trace =
        read_gavel_trace(text, throughputs.value(), std::move(classes).value(), unit_s.value());
    if (!trace) return in_file(options.trace, trace.error());
    SimulatedTrace read;
    read.trace = std::move(trace).value();
    if (!read.trace.jobs.empty()) set_epochs(read.trace, 0);
    const bool is_physical = rates.value() == GavelRates::physical;
    read.sources = std::string(is_physical ? "physical" : "simulation") + " rates of " +
                   plain(file.value().string(), 200);
    return read;
}

Result<SimulatedTrace> read_pollux(const TraceOptions& options, const std::string& text) {
    auto workload = read_pollux_workload(text);
    if (!workload) return in_file(options.trace, workload.error());
    const auto folder = find_beside(
        options.trace,
        options.profiles,
        {"profiles", "../traces"},
        "a Pollux workload needs --profiles FOLDER with a folder for each application, which "
        "holds placements.csv, scalability.csv and validation-<batch>.csv");
    if (!folder) return folder.error();
    PolluxSetting setting;
    setting.workload = std::move(workload).value();
    std::ranges::stable_sort(setting.workload, {}, &PolluxJob::submit_s);
    const auto price = pollux_price(options, setting.cluster);
    if (!price) return price.error();
    for (const PolluxJob& job : setting.workload) {
        if (setting.profiles.contains(job.application)) continue;
        const path name = job.application;
        if (name.empty() || name != name.filename() || name == "." || name == "..") {
            return Error{ErrorKind::bad_input,
                         plain(options.trace.string(), 200) + ": workload job " +
                             epochcast::quoted(job.name) + ": application " +
                             epochcast::quoted(job.application) + " is no name of a folder"};
        }
        auto profile = read_profile(folder.value() / name, job.application);
        if (!profile) return profile.error();
        setting.profiles.emplace(job.application, std::move(profile).value());
    }
    auto trace = pollux_trace(setting, price.value());
    if (!trace) return in_file(options.trace, trace.error());
    SimulatedTrace read;
    read.trace = std::move(trace).value();
    read.pollux = std::move(setting);
    read.sources = "profiles in " + plain(folder.value().string(), 200);
    read.notes.push_back(
        "Jobs keep the batch and the devices that the workload names, packed on nodes of 4; only "
        "optimus changes their number.");
    return read;
}

}  // namespace epochcast
